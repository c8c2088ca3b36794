// SPDX-License-Identifier: GPL-2.0-or-later
#include "loads/latency.h"

namespace schedlab {

std::vector<Metric> latency_metrics(const std::string &name, const Histogram &ns) {
    constexpr struct {
        const char *suffix;
        double quantile;
    } points[] = {{".p50", 0.5}, {".p90", 0.9}, {".p95", 0.95}, {".p99", 0.99}, {".p99.9", 0.999}};
    std::vector<Metric> metrics;
    if (ns.count() == 0)
        return metrics;
    const auto add = [&](const char *suffix, std::uint64_t value) {
        metrics.push_back({name + suffix, "us", MetricClass::time, Direction::lower_is_better, MetricKind::value,
                           double(value) / 1e3});
    };
    for (const auto &point : points)
        add(point.suffix, ns.quantile(point.quantile));
    add(".max", ns.max());
    return metrics;
}

} // namespace schedlab
