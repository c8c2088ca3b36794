// SPDX-License-Identifier: GPL-2.0-or-later
#include "probes/placement.h"

#include <algorithm>
#include <array>
#include <bpf/bpf.h>
#include <cstring>
#include <unistd.h>

#include "probes/bpf_probe.h"
#include "probes/placement_events.h"
#include "probes/placement_metrics.h"

#include "bpf/placement.skel.h"

namespace schedlab {
namespace {

class PlacementProbe : public BpfProbe<placement_bpf> {
public:
    explicit PlacementProbe(ProbeSetup setup) : BpfProbe("placement", std::move(setup)) {}

private:
    void prepare(placement_bpf &programs) override {
        const Topology &topology = setup().topology;
        auto &rodata = *programs.rodata;
        rodata.asymmetric = topology.asymmetric();
        rodata.clustered = has_distance(topology, Distance::cluster);
        rodata.per_task = views("tasks") || views("commands");
        rodata.per_event = views("events");
        if (views("cpus"))
            groups_ = groups_for_moves(topology);
        rodata.groups = unsigned(groups_.size());
        bpf_map__set_max_entries(programs.maps.moves, std::max(1u, rodata.groups * rodata.groups));
        for (std::size_t i = 0; i < groups_.size(); ++i)
            for (const int cpu : groups_[i].cpus)
                if (cpu < probe_max_cpus)
                    programs.bss->group[cpu] = std::uint16_t(i);
        bpf_map__set_max_entries(programs.maps.task_counts, rodata.per_task ? most_tasks() : 1);
        if (!rodata.per_event)
            bpf_map__set_max_entries(programs.maps.events, unsigned(::getpagesize()));
        describe(topology, *programs.bss);
        std::ranges::copy(programs.bss->apart, apart_.begin());
    }

    template <class Bss> static void describe(const Topology &topology, Bss &bss) {
        std::memset(bss.step, placement_unknown_cpu, sizeof(bss.step));
        for (const CpuPlace &from : topology.cpus) {
            if (from.cpu >= probe_max_cpus)
                break;
            bss.capacity[from.cpu] = unsigned(from.capacity);
            for (const CpuPlace &to : topology.cpus) {
                if (to.cpu >= probe_max_cpus)
                    break;
                bss.step[from.cpu][to.cpu] = placement_step(topology, from.cpu, to.cpu);
                const Distance distance = topology.distance(from.cpu, to.cpu);
                const std::uint64_t bit = 1ULL << to.cpu % 64;
                if (distance <= Distance::cluster)
                    bss.cluster[from.cpu].word[to.cpu / 64] |= bit;
                if (distance <= Distance::llc)
                    bss.llc[from.cpu].word[to.cpu / 64] |= bit;
            }
        }
    }

    void report(const placement_bpf &programs, const Measured &, ProbeResult &result) override {
        const auto &bss = *programs.bss;
        result.metrics = placement_metrics(sum_counts(bss.counts), setup().topology);
        if (programs.rodata->per_task) {
            const std::vector<TaskCounts> tasks = read_tasks(programs);
            if (views("tasks"))
                append(result.metrics, task_metrics(tasks, setup().topology, false));
            if (views("commands"))
                append(result.metrics, task_metrics(tasks, setup().topology, true));
        }
        if (!groups_.empty())
            append(result.metrics, move_metrics(groups_, read_moves(programs)));
        if (programs.rodata->per_event) {
            result.events = topology_lines(setup().topology, apart_);
            read_events(programs, result.events);
        }
        lose(result, "events", bss.events_lost, Severity::info);
    }

    static void append(std::vector<Metric> &metrics, const std::vector<Metric> &more) {
        metrics.insert(metrics.end(), more.begin(), more.end());
    }

    static std::vector<TaskCounts> read_tasks(const placement_bpf &programs) {
        std::vector<TaskCounts> tasks;
        const int map = bpf_map__fd(programs.maps.task_counts);
        TaskCounts task;
        const probe_task_key *last = nullptr;
        for (; bpf_map_get_next_key(map, last, &task.key) == 0; last = &task.key)
            if (bpf_map_lookup_elem(map, &task.key, &task.counts) == 0)
                tasks.push_back(task);
        return tasks;
    }

    std::vector<std::uint64_t> read_moves(const placement_bpf &programs) const {
        std::vector<std::uint64_t> moves(groups_.size() * groups_.size());
        for (unsigned key = 0; key < moves.size(); ++key)
            if (bpf_map_lookup_elem(bpf_map__fd(programs.maps.moves), &key, &moves[key]))
                throw environment_error("cannot read the placement probe's moves: " + errno_text(errno));
        return moves;
    }

    // After stop(): what the buffer has no room for is lost and counted, nobody drains it meanwhile.
    static void read_events(const placement_bpf &programs, std::vector<std::string> &lines) {
        const auto keep = [](void *context, void *data, std::size_t) {
            static_cast<std::vector<std::string> *>(context)->push_back(
                event_line(*static_cast<const placement_event *>(data)));
            return 0;
        };
        const std::unique_ptr<ring_buffer, void (*)(ring_buffer *)> ring(
            ring_buffer__new(bpf_map__fd(programs.maps.events), keep, &lines, nullptr), ring_buffer__free);
        if (!ring || ring_buffer__consume(ring.get()) < 0)
            throw environment_error("cannot read the placement probe's events: " + errno_text(errno));
    }

    std::array<unsigned char, probe_max_cpus> apart_{}; // at the beginning
    std::vector<CpuGroup> groups_;                      // under the view "cpus"
};

} // namespace

std::unique_ptr<Probe> make_placement_probe(ProbeSetup setup) {
    return std::make_unique<PlacementProbe>(std::move(setup));
}

} // namespace schedlab
