// SPDX-License-Identifier: GPL-2.0-or-later
// Parts of the HTML report: text made safe, and charts as inline SVG. Colours come from the style sheet.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "report/comparison.h"

namespace schedlab {

extern const std::string_view html_style; // a style sheet, light and dark

std::string escaped(std::string_view text); // for text and for attributes in double quotes, of HTML and of XML

// The change's interval around zero, on an axis that all metrics share: parts of a's median, logarithmic both ways
// from 0.1 % to 100 %.
std::string interval_chart(const Comparison &c);
// What part of an arm's boots is at or below each value: a dashed, b solid.
std::string ecdf_chart(const Comparison &c);
// How many of an arm's boots have about a value: a outlined, b filled.
std::string histogram_chart(const Comparison &c);

struct TimedValue {
    std::string began; // UTC, ISO 8601
    double value = 0;
    bool of_b = false;
};
std::vector<TimedValue> in_time(const Comparison &c, const ComparisonReport &report); // the earliest first
// Values in the order in which the runs began, with each arm's median and its drift.
std::string time_chart(const Comparison &c, const ComparisonReport &report);

// Parts of the page, "" where the records do not have what they show: where wakeups went, how often each way was taken.
std::string distance_matrix(const ComparisonReport &report);
std::string migration_bars(const ComparisonReport &report);
// Migrations as arcs over the groups of CPUs that the scheduler's domains make.
std::string migration_map(const ComparisonReport &report);

const Comparison *find_metric(const ComparisonReport &report, std::string_view name); // null: there is none

} // namespace schedlab
