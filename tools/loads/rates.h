// SPDX-License-Identifier: GPL-2.0-or-later
// The two metrics that every load with operations has.
#pragma once

#include "core/metric.h"

namespace schedlab {

inline Metric ops_per_sec(double operations, double seconds) {
    return {"ops_per_sec", "1/s", MetricClass::time, Direction::higher_is_better, MetricKind::value,
            operations / seconds};
}

inline Metric usec_per_op(double operations, double seconds) {
    return {"usec_per_op", "us", MetricClass::time, Direction::lower_is_better, MetricKind::value,
            seconds * 1e6 / operations};
}

} // namespace schedlab
