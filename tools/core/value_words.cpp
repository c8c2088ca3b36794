// SPDX-License-Identifier: GPL-2.0-or-later
#include "core/value_words.h"

#include <cmath>
#include <fmt/format.h>

namespace schedlab {

std::string percent_words(double part) {
    return std::abs(part) < longest_written_out ? fmt::format("{:.1f} %", 100 * part) : fmt::format("{:.4g} %", 100 * part);
}

std::string value_words(const Metric &metric, double value) {
    if (metric.kind == MetricKind::share)
        return percent_words(value);
    const double size = std::abs(value);
    const bool whole = (metric.kind == MetricKind::count || size >= 1e3) && size < longest_written_out; // four digits would be 1.82e+04
    return whole ? fmt::format("{:.0f}", value) : fmt::format("{:.4g}", value);
}

} // namespace schedlab
