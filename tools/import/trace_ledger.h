// SPDX-License-Identifier: GPL-2.0-or-later
// The placement ledger of events in a trace's text, as the placement probe counts it of live ones. A text does not tell
// which CPUs a task may use, nor why it was moved: what was missed, and causes other than a wakeup, are left out.
#pragma once

#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "core/metric.h"
#include "core/topology.h"
#include "import/trace_line.h"
#include "probes/placement_metrics.h"

namespace schedlab {

class TraceLedger {
public:
    // `commands`: only tasks called so when an event happens to them are counted; empty: all.
    TraceLedger(const Topology &topology, std::set<std::string, std::less<>> commands);

    void take(const TraceEvent &event); // in the order in which they happened
    std::uint64_t unknown_cpus() const { return unknown_cpus_; } // events on CPUs that the topology lacks
    std::vector<Metric> metrics() const;

private:
    void wake(const TraceEvent &event);
    void migrate(const TraceEvent &event);
    void wait(const TraceEvent &event);
    bool counts(const TraceEvent &event) const;
    bool known(int cpu);
    bool runs(int pid) const;
    unsigned char step(int from, int to) const { return steps_[std::size_t(from) * running_.size() + std::size_t(to)]; }

    Topology topology_;
    std::set<std::string, std::less<>> commands_;
    placement_counts counts_{};
    struct Wakeup {
        int waker = 0; // its CPU
        bool counted = false;
    };
    std::unordered_map<int, Wakeup> under_way_; // by pid, from waking to wakeup
    std::unordered_map<int, int> waits_on_;     // by pid: tasks that were woken or are new, and have not run yet
    std::vector<unsigned char> steps_;          // placement_step() of each two CPUs
    std::vector<int> running_;                  // by CPU: a pid, -1: not known
    std::vector<int> waiting_;                  // by CPU: how many wait there
    bool saw_waking_ = false;
    std::uint64_t unknown_cpus_ = 0;
};

} // namespace schedlab
