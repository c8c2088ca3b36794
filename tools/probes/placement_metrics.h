// SPDX-License-Identifier: GPL-2.0-or-later
// The pure half of the placement probe: the steps BPF is to count, and the metrics its counts mean.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "bpf/placement.h"
#include "core/metric.h"
#include "core/topology.h"

namespace schedlab {

// The number of the step from one CPU to another (bpf/placement.h). Both must be in `topology`.
unsigned char placement_step(const Topology &topology, int from, int to);

// `counts` of several CPUs as one.
placement_counts sum_counts(std::span<const placement_counts> counts);

// Are two CPUs this far apart?
bool has_distance(const Topology &topology, Distance distance);

// The ledger. Shares are left out when there was no wakeup, rows about capacity where all CPUs are equal, and
// rows about clusters where there are none between core and last-level cache.
std::vector<Metric> placement_metrics(const placement_counts &counts, const Topology &topology);

// A command's name may be any bytes; a metric's is text.
std::string printable(const char (&comm)[16]);

struct TaskCounts {
    probe_task_key key;
    placement_task counts;
};

// A few rows for each task ("task.COMM:PID.wakeups") or for all tasks of a command together
// ("command.COMM.wakeups"). Tasks are called what they were called last.
std::vector<Metric> task_metrics(const std::vector<TaskCounts> &tasks, const Topology &topology, bool by_command);

// CPUs between which migrations are counted under the view "cpus": single ones, or, where there are more than 16, the
// smallest groups (cores, clusters, LLCs) of which there are at most 16, or LLCs.
struct CpuGroup {
    std::string name; // "cpu3", "llc32": after its first CPU
    std::vector<int> cpus;
};
std::vector<CpuGroup> groups_for_moves(const Topology &topology);

// "migrations.cpu0.cpu4" for each two groups. `moves` is by number of the group left times groups plus the group entered.
std::vector<Metric> move_metrics(std::span<const CpuGroup> groups, std::span<const std::uint64_t> moves);

} // namespace schedlab
