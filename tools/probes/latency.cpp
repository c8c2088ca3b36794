// SPDX-License-Identifier: GPL-2.0-or-later
#include "probes/latency.h"

#include <bpf/bpf.h>
#include <cstring>
#include <type_traits>

#include "bpf/latency.h"
#include "core/histogram.h"
#include "probes/bpf_probe.h"

#include "bpf/latency.skel.h"

namespace schedlab {
namespace {

constexpr const char *kind_names[latency_kinds] = {"waking", "runnable"};
constexpr std::pair<const char *, double> quantiles[] = {{"p50", .5},  {"p75", .75}, {"p90", .9},
                                                         {"p95", .95}, {"p99", .99}, {"p99.9", .999}};

// Of all CPUs together.
Histogram read_histogram(const bpf_map *map, unsigned kind) {
    static_assert(sizeof(Histogram) == sizeof(latency_histogram) && std::is_trivially_copyable_v<Histogram>);
    std::vector<latency_histogram> of_cpus(static_cast<std::size_t>(libbpf_num_possible_cpus()));
    if (bpf_map_lookup_elem(bpf_map__fd(map), &kind, of_cpus.data()) != 0)
        throw environment_error("cannot read the latency probe's histograms: " + errno_text(errno));
    Histogram sum;
    for (const latency_histogram &counts : of_cpus) {
        Histogram histogram;
        std::memcpy(static_cast<void *>(&histogram), &counts, sizeof(counts));
        sum.add(histogram);
    }
    return sum;
}

void add_metrics(std::vector<Metric> &metrics, const std::string &kind, const Histogram &histogram) {
    const std::string name = "latency." + kind;
    metrics.push_back({name + ".count", "1", MetricClass::placement, Direction::neutral, MetricKind::count,
                       double(histogram.count())});
    if (histogram.count() == 0)
        return;
    const auto add = [&](const std::string &what, double ns) {
        metrics.push_back({name + "_us." + what, "us", MetricClass::time, Direction::lower_is_better,
                           MetricKind::value, ns / 1000});
    };
    add("sum", double(histogram.sum()));
    add("mean", histogram.mean());
    for (const auto &[what, q] : quantiles)
        add(what, double(histogram.quantile(q)));
    add("max", double(histogram.max()));
}

class LatencyProbe : public BpfProbe<latency_bpf> {
public:
    explicit LatencyProbe(ProbeSetup setup) : BpfProbe("latency", std::move(setup)) {}

private:
    void prepare(latency_bpf &) override {}

    void report(const latency_bpf &programs, const Measured &, ProbeResult &result) override {
        for (unsigned kind = 0; kind < latency_kinds; ++kind)
            add_metrics(result.metrics, kind_names[kind], read_histogram(programs.maps.histograms, kind));
    }
};

} // namespace

std::unique_ptr<Probe> make_latency_probe(ProbeSetup setup) {
    return std::make_unique<LatencyProbe>(std::move(setup));
}

} // namespace schedlab
