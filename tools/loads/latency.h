// SPDX-License-Identifier: GPL-2.0-or-later
// A histogram of latencies as metrics.
#pragma once

#include <string>
#include <vector>

#include "core/histogram.h"
#include "core/metric.h"

namespace schedlab {

// NAME.p50 .p90 .p95 .p99 .p99.9 and .max in us, from nanoseconds; none if nothing was counted.
std::vector<Metric> latency_metrics(const std::string &name, const Histogram &ns);

} // namespace schedlab
