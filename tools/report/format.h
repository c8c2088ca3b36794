// SPDX-License-Identifier: GPL-2.0-or-later
// The forms a comparison is written in; all are made from the one ComparisonReport.
#pragma once

#include <string>
#include <string_view>

#include "report/comparison.h"

namespace schedlab {

enum class Format { text, lkml, markdown, csv, json, html };

Format parse_format(std::string_view name); // throws a usage error with the names there are
inline constexpr auto format_names = "text, lkml, markdown, csv, json, html";

// `terminal` matters to text alone.
std::string comparison_in(Format format, const ComparisonReport &report, const Terminal &terminal);

// A mail of at most 72 columns: what was run, on what, the worst first, the commands, what differs beside the change.
std::string comparison_lkml(const ComparisonReport &report);
// Tables as GitHub and GitLab understand them.
std::string comparison_markdown(const ComparisonReport &report);
// RFC 4180: a line of titles, a line per metric with numbers in full, then one per other thing that the report says.
std::string comparison_csv(const ComparisonReport &report);
// One file that needs no other, with charts; no script.
std::string comparison_html(const ComparisonReport &report);

} // namespace schedlab
