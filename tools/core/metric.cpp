// SPDX-License-Identifier: GPL-2.0-or-later
#include "core/metric.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <span>

#include "core/error.h"

namespace schedlab {

namespace {

// In the order of the enumerators.
constexpr std::string_view class_names[] = {"placement", "path", "time", "modelled"};
constexpr std::string_view direction_names[] = {"higher", "lower", "neutral"};
constexpr std::string_view kind_names[] = {"count", "share", "value"};
constexpr std::string_view severity_names[] = {"info", "data_loss"};

template <class Enum>
Enum parse(std::string_view text, std::span<const std::string_view> names, const char *what) {
    for (std::size_t i = 0; i < names.size(); ++i)
        if (names[i] == text)
            return Enum(i);
    throw usage_error(fmt::format("'{}' is no {}: it must be one of {}", text, what, fmt::join(names, ", ")));
}

} // namespace

std::string_view to_string(MetricClass cls) { return class_names[int(cls)]; }
std::string_view to_string(Direction direction) { return direction_names[int(direction)]; }
std::string_view to_string(MetricKind kind) { return kind_names[int(kind)]; }
std::string_view to_string(Severity severity) { return severity_names[int(severity)]; }

MetricClass parse_metric_class(std::string_view text) {
    return parse<MetricClass>(text, class_names, "metric class");
}

Direction parse_direction(std::string_view text) {
    return parse<Direction>(text, direction_names, "direction");
}

MetricKind parse_metric_kind(std::string_view text) {
    return parse<MetricKind>(text, kind_names, "metric kind");
}

Severity parse_severity(std::string_view text) {
    return parse<Severity>(text, severity_names, "severity");
}

} // namespace schedlab
