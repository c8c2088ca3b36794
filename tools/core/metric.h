// SPDX-License-Identifier: GPL-2.0-or-later
// Metrics: a name, a unit, a direction, a class and a value (docs/measuring.md lists the names).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace schedlab {

enum class MetricClass {
    placement, // counts and shares of scheduler decisions: sound everywhere
    path,      // instructions per operation: exact in emulation
    time,      // seconds, operations/s: only on real hardware; no verdict in emulation
    modelled   // time under the emulator's timing model: a prediction
};
enum class Direction { higher_is_better, lower_is_better, neutral };
// A count is compared as a count (exact permutation), a value on the log scale, a share as a difference.
enum class MetricKind { count, share, value };

std::string_view to_string(MetricClass);
std::string_view to_string(Direction); // "higher", "lower", "neutral"
std::string_view to_string(MetricKind);
MetricClass parse_metric_class(std::string_view); // throws a usage error
Direction parse_direction(std::string_view);
MetricKind parse_metric_kind(std::string_view);

struct Metric {
    std::string name;
    std::string unit; // "1" for counts and shares, "1/s", "us", "insn"
    MetricClass cls = MetricClass::placement;
    Direction direction = Direction::neutral;
    MetricKind kind = MetricKind::value;
    double value = 0;
};

enum class Severity { info, data_loss }; // a record with data loss cannot be compared
std::string_view to_string(Severity);
Severity parse_severity(std::string_view); // throws a usage error

struct Loss {
    std::string source; // "placement.map_full"
    std::uint64_t count = 0;
    Severity severity = Severity::data_loss;
};

} // namespace schedlab
