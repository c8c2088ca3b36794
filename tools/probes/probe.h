// SPDX-License-Identifier: GPL-2.0-or-later
// A probe: a BPF collector with a life of load → start → stop → metrics.
#pragma once

#include <memory>
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

struct ProbeResult {
    std::vector<Metric> metrics;
    std::vector<Loss> losses;
};

class Probe {
public:
    virtual ~Probe() = default;
    // Programs are loaded and attached, nothing is counted yet. Throws an environment error with the remedy
    // (no root, no BTF, no BPF).
    virtual void attach() = 0;
    virtual void start() = 0;         // counting begins; once in a probe's life
    virtual void stop() = 0;          // counting ends
    virtual ProbeResult result() = 0; // after stop()
};

struct ProbeKind {
    std::string_view name;
    std::string_view summary;
    std::unique_ptr<Probe> (*make)(const Topology &topology, ProbeScope scope);
};

std::span<const ProbeKind> all_probes();
const ProbeKind &find_probe(std::string_view name); // throws a usage error

} // namespace schedlab
