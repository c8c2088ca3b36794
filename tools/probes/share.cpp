// SPDX-License-Identifier: GPL-2.0-or-later
#include "probes/share.h"

#include <algorithm>
#include <bpf/bpf.h>
#include <cstring>
#include <fmt/format.h>

#include "bpf/share.h"
#include "probes/bpf_probe.h"
#include "probes/monotonic.h"
#include "probes/placement_metrics.h"
#include "probes/share_metrics.h"

#include "bpf/share.skel.h"

namespace schedlab {
namespace {

class ShareProbe : public BpfProbe<share_bpf> {
public:
    explicit ShareProbe(ProbeSetup setup) : BpfProbe("share", std::move(setup)) {}

    void start() override {
        busy_before_ = busy_times();
        programs().bss->started = started_ = time();
        BpfProbe::start();
    }

    void stop() override {
        BpfProbe::stop();
        stopped_ = time();
        busy_ = busy_times();
    }

private:
    struct Busy {
        std::vector<std::uint64_t> cpu, core; // by CPU number; a core's stands at its first CPU
    };

    void prepare(share_bpf &programs) override {
        programs.bss->epoch = monotonic_ns();
        for (const CpuPlace &place : setup().topology.cpus)
            if (place.cpu < probe_max_cpus)
                programs.bss->core[place.cpu] = unsigned(place.core);
        bpf_map__set_max_entries(programs.maps.task_shares, most_tasks());
    }

    std::uint64_t time() const { return monotonic_ns() - programs().bss->epoch; }

    Busy busy_times() const {
        const std::uint64_t now = time();
        Busy busy;
        for (int cpu = 0; cpu < probe_max_cpus; ++cpu) {
            busy.cpu.push_back(probe_watch_read(programs().bss->cpu_busy[cpu].word, now));
            busy.core.push_back(probe_watch_read(programs().bss->core_busy[cpu].word, now));
        }
        return busy;
    }

    void report(const share_bpf &programs, const Measured &, ProbeResult &result) override {
        result.metrics = share_metrics(read_tasks(programs), views("tasks"));
        for (const CpuPlace &place : setup().topology.cpus)
            add_occupancy(result, "cpu", place.cpu, busy_.cpu, busy_before_.cpu);
        if (has_distance(setup().topology, Distance::smt))
            for (const CpuPlace &place : setup().topology.cpus)
                if (place.core == place.cpu)
                    add_occupancy(result, "core", place.cpu, busy_.core, busy_before_.core);
    }

    void add_occupancy(ProbeResult &result, const char *what, int cpu, const std::vector<std::uint64_t> &after,
                       const std::vector<std::uint64_t> &before) const {
        if (cpu >= probe_max_cpus || stopped_ == started_)
            return;
        const double part = double(after[cpu] - before[cpu]) / double(stopped_ - started_);
        result.metrics.push_back({fmt::format("occupancy.{}{}", what, cpu), "1", MetricClass::placement,
                                  Direction::neutral, MetricKind::share, std::min(1.0, part)});
    }

    std::vector<TaskTime> read_tasks(const share_bpf &programs) const {
        std::vector<TaskTime> tasks;
        const int map = bpf_map__fd(programs.maps.task_shares);
        probe_task_key key;
        share_task task;
        for (const probe_task_key *last = nullptr; bpf_map_get_next_key(map, last, &key) == 0; last = &key)
            if (bpf_map_lookup_elem(map, &key, &task) == 0)
                tasks.push_back({fmt::format("{}:{}", printable(task.comm), key.pid),
                                 double(task.runs + until_stop(task, share_runs)),
                                 double(task.waits + until_stop(task, share_waits))});
        std::ranges::sort(tasks, {}, &TaskTime::name);
        return tasks;
    }

    // What it is in the middle of.
    std::uint64_t until_stop(const share_task &task, share_state state) const {
        const std::uint64_t from = std::max<std::uint64_t>(task.since, started_);
        return task.state == unsigned(state) && stopped_ > from ? stopped_ - from : 0;
    }

    std::uint64_t started_ = 0, stopped_ = 0;
    Busy busy_before_, busy_;
};

} // namespace

std::unique_ptr<Probe> make_share_probe(ProbeSetup setup) { return std::make_unique<ShareProbe>(std::move(setup)); }

} // namespace schedlab
