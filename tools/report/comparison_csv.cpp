// SPDX-License-Identifier: GPL-2.0-or-later
#include <fmt/format.h>

#include "report/format.h"

namespace schedlab {

namespace {

std::string quoted(const std::string &text) {
    if (text.find_first_of(",\"\r\n") == text.npos)
        return text;
    std::string doubled;
    for (const char c : text)
        doubled += c == '"' ? "\"\"" : std::string(1, c);
    return "\"" + doubled + "\"";
}

} // namespace

std::string comparison_csv(const ComparisonReport &report) {
    std::string text = "metric,unit,class,direction,kind,primary,boots_a,boots_b,median_a,median_b,scale,change,low,high,p,"
                       "verdict,reason\r\n";
    for (const Comparison &c : report.metrics) {
        const std::string low = c.interval ? fmt::format("{}", c.interval->low) : "";
        const std::string high = c.interval ? fmt::format("{}", c.interval->high) : "";
        text += fmt::format("{},{},{},{},{},{:d},{},{},{},{},{},{},{},{},{},{},{}\r\n", quoted(c.metric.name),
                            quoted(c.metric.unit), to_string(c.metric.cls), to_string(c.metric.direction),
                            to_string(c.metric.kind), c.primary, c.a.size(), c.b.size(), c.median_a, c.median_b,
                            to_string(c.scale), c.change, low, high, c.p, c.verdict ? to_string(*c.verdict) : "",
                            quoted(c.reason));
    }
    return text;
}

} // namespace schedlab
