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

// Which tasks are counted: every task, or a thread group and all that it forks.
struct ProbeScope {
    int tgid = 0; // 0 = system-wide
};

struct ProbeResult {
    std::vector<Metric> metrics;
    std::vector<Loss> losses;
};

class Probe {
public:
    virtual ~Probe() = default;
    virtual void attach() = 0;       // programs are loaded and attached, nothing is counted yet
    virtual void start() = 0;        // counting begins
    virtual void stop() = 0;         // counting ends
    virtual ProbeResult result() = 0; // after stop()
};

struct ProbeKind {
    std::string_view name;
    std::string_view summary;
    // Throws an environment error (no root, no BTF, no BPF) with the remedy.
    std::unique_ptr<Probe> (*make)(const Topology &topology, const ProbeScope &scope);
};

std::span<const ProbeKind> all_probes();
const ProbeKind &find_probe(std::string_view name); // throws a usage error

} // namespace schedlab
