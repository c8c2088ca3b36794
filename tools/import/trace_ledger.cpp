// SPDX-License-Identifier: GPL-2.0-or-later
#include "import/trace_ledger.h"

#include <algorithm>

namespace schedlab {

using Kind = TraceEvent::Kind;

TraceLedger::TraceLedger(const Topology &topology, std::set<std::string, std::less<>> commands)
    : topology_(topology), commands_(std::move(commands)) {
    const std::size_t cpus = topology.cpus.empty() ? 0 : std::size_t(topology.cpus.back().cpu) + 1;
    steps_.resize(cpus * cpus, placement_unknown_cpu);
    running_.assign(cpus, -1);
    waiting_.assign(cpus, 0);
    for (const CpuPlace &from : topology.cpus)
        for (const CpuPlace &to : topology.cpus)
            steps_[std::size_t(from.cpu) * cpus + std::size_t(to.cpu)] = placement_step(topology, from.cpu, to.cpu);
}

bool TraceLedger::counts(const TraceEvent &event) const { return commands_.empty() || commands_.contains(event.comm); }

bool TraceLedger::known(int cpu) {
    if (cpu >= 0 && std::size_t(cpu) < running_.size() && step(cpu, cpu) != placement_unknown_cpu)
        return true;
    ++unknown_cpus_;
    return false;
}

bool TraceLedger::runs(int pid) const {
    return std::ranges::find(running_, pid) != running_.end();
}

void TraceLedger::take(const TraceEvent &event) {
    if (!known(event.on))
        return;
    if (event.kind == Kind::run) {
        running_[event.on] = event.pid;
        if (const auto at = waits_on_.find(event.pid); at != waits_on_.end()) {
            --waiting_[at->second];
            waits_on_.erase(at);
        }
        return;
    }
    if (event.pid == 0 || !known(event.cpu) || (event.kind == Kind::migrate && !known(event.to)))
        return;
    switch (event.kind) {
    case Kind::waking: return wake(event);
    case Kind::migrate: return migrate(event);
    case Kind::wakeup:
        under_way_.erase(event.pid);
        return runs(event.pid) ? void() : wait(event); // it had not left its CPU: it does not wait
    case Kind::wakeup_new:
        if (counts(event))
            ++counts_.forked[step(event.on, event.cpu)];
        return wait(event);
    case Kind::run: break;
    }
}

void TraceLedger::wake(const TraceEvent &event) {
    saw_waking_ = true;
    const bool counted = counts(event);
    under_way_[event.pid] = {event.on, counted};
    if (counted)
        ++counts_.woken[step(event.on, event.cpu)];
}

void TraceLedger::migrate(const TraceEvent &event) {
    if (event.cpu == event.to)
        return;
    const auto wakeup = under_way_.find(event.pid);
    const bool chosen = wakeup != under_way_.end() && wakeup->second.waker == event.on;
    const unsigned char moved = step(event.cpu, event.to);
    if (counts(event)) {
        ++counts_.migrations[chosen ? cause_wakeup : cause_balance][moved];
        if (chosen && wakeup->second.counted) {
            ++counts_.left[step(event.on, event.cpu)];
            ++counts_.taken[step(event.on, event.to)];
            ++counts_.moved[moved];
        }
    }
    if (const auto at = waits_on_.find(event.pid); at != waits_on_.end()) {
        --waiting_[at->second];
        ++waiting_[at->second = event.to];
    }
}

void TraceLedger::wait(const TraceEvent &event) {
    if (waits_on_.contains(event.pid))
        return;
    counts_.missed[miss_stacked] += event.kind == Kind::wakeup && waiting_[event.cpu] > 0 && counts(event);
    waits_on_[event.pid] = event.cpu;
    ++waiting_[event.cpu];
}

std::vector<Metric> TraceLedger::metrics() const {
    std::vector<Metric> rows = placement_metrics(counts_, topology_);
    std::erase_if(rows, [&](const Metric &row) {
        const bool untold = row.name.starts_with("missed.") || row.name == "migrations.exec" || row.name == "migrations.balance" ||
                            row.name == "migrations.affinity" || row.name == "migrations.hotplug";
        const bool of_wakeups = row.name.starts_with("wake") || row.name == "migrations.wakeup" || row.name == "stacked";
        return untold || (of_wakeups && !saw_waking_);
    });
    return rows;
}

} // namespace schedlab
