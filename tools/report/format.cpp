// SPDX-License-Identifier: GPL-2.0-or-later
#include "report/format.h"

#include "core/error.h"
#include "core/nearest.h"

namespace schedlab {

namespace {

const std::vector<std::string> names = {"text", "lkml", "markdown", "csv", "json", "html"}; // in the order of Format

} // namespace

Format parse_format(std::string_view name) {
    for (std::size_t i = 0; i < names.size(); ++i)
        if (names[i] == name)
            return Format(i);
    const std::string near = nearest(name, names);
    throw usage_error("no format '" + std::string(name) + "'",
                      near.empty() ? std::string("there are: ") + format_names : "did you mean " + near + "?");
}

std::string comparison_in(Format format, const ComparisonReport &report, const Terminal &terminal) {
    switch (format) {
    case Format::lkml: return comparison_lkml(report);
    case Format::markdown: return comparison_markdown(report);
    case Format::csv: return comparison_csv(report);
    case Format::json: return comparison_json(report).dump(2) + "\n";
    case Format::html: return comparison_html(report);
    case Format::text: break;
    }
    return comparison_text(report, terminal);
}

} // namespace schedlab
