// SPDX-License-Identifier: GPL-2.0-or-later
// Parts of the HTML report: text made safe, and charts as inline SVG. Colours come from the style sheet.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "report/comparison.h"

namespace schedlab {

extern const std::string_view html_style; // a style sheet, light and dark

std::string escaped(std::string_view text); // for text and for attributes in double quotes, of HTML and of XML

// The change's interval around zero, on an axis that all metrics share: parts of a's median, logarithmic both ways
// from 0.1 % to 100 %.
std::string interval_chart(const Comparison &c);
// What part of an arm's boots is at or below each value: a dashed, b solid.
std::string ecdf_chart(const Comparison &c);
// Values in the order in which the runs began, with each arm's median.
std::string time_chart(const Comparison &c, const ComparisonReport &report);

} // namespace schedlab
