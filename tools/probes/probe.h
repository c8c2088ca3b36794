// SPDX-License-Identifier: GPL-2.0-or-later
// A probe: a collector with a life of load → start → stop → metrics.
#pragma once

#include <memory>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/metric.h"
#include "core/topology.h"

namespace schedlab {

// Which tasks are counted. (The order is known to tools/bpf.)
enum class ProbeScope {
    system,      // every task but the idle ones
    self,        // this process's threads and all tasks they create from attach() on
    descendants  // the latter alone
};

struct ProbeSetup {
    Topology topology;
    ProbeScope scope = ProbeScope::self;
    std::set<std::string> views = {}; // what the probe shows beside its metrics; names of ProbeKind::views
    double ns_per_instruction = 0;    // of an emulated machine's clock; 0: time is real
};

// What a probe's metrics may be relative to.
struct Measured {
    std::uint64_t operations = 0; // 0: unknown
    std::int64_t elapsed_ns = 0;  // between start() and stop()
};

struct ProbeResult {
    std::vector<Metric> metrics;
    std::vector<Loss> losses;
    std::vector<std::string> events; // lines
};

class Probe {
public:
    virtual ~Probe() = default;
    // Programs are loaded and attached, nothing is counted yet. Throws an environment error with the remedy
    // (no root, no BTF, no BPF).
    virtual void attach() = 0;
    virtual void start() = 0; // counting begins; once in a probe's life
    virtual void stop() = 0;  // counting ends
    virtual ProbeResult result(const Measured &measured) = 0; // after stop()
};

struct ProbeKind {
    std::string_view name;
    std::string_view summary;
    std::unique_ptr<Probe> (*make)(ProbeSetup setup);
    std::vector<std::string_view> views = {};
};

std::span<const ProbeKind> all_probes();

// A probe is asked for as NAME or NAME:VIEW[:VIEW]. Both throw a usage error that tells what there is.
std::unique_ptr<Probe> make_probe(const std::string &asked, ProbeSetup setup);
// "placement:tasks,latency", or "none": none. Each probe once.
std::vector<std::string> parse_probes(const std::string &list);

// The names, each with its summary and its views, one a line.
std::string probe_help();

} // namespace schedlab
