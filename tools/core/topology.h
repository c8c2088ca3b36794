// SPDX-License-Identifier: GPL-2.0-or-later
// Where CPUs are: what each shares with which other, and how big it is. Read from sysfs by
// sys/topology_reader; everything here is pure.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "core/cpulist.h"

namespace schedlab {

// How far apart two CPUs are: the smallest thing they share. The order is the ladder of
// docs/measuring.md; `remote` is another NUMA node (or nothing shared).
enum class Distance { same, smt, cluster, llc, node, remote };
inline constexpr int distance_count = 6;
std::string_view to_string(Distance);

// One CPU's coordinates. Ids are the number of the first CPU of the group, so that two CPUs share a
// level exactly if the ids are equal. A level the machine lacks equals the level below it.
struct CpuPlace {
    int cpu = 0;
    int core = 0;       // SMT siblings
    int cluster = 0;    // shares an L2 or an L3 tag
    int llc = 0;        // shares the last-level cache
    int node = 0;       // NUMA node number
    int capacity = 1024; // arch capacity, 1024 = the biggest CPU
};

struct Topology {
    std::vector<CpuPlace> cpus; // sorted by cpu; only CPUs that are present

    const CpuPlace *find(int cpu) const;
    // Distance between two present CPUs; `remote` if either is unknown.
    Distance distance(int from, int to) const;
    bool asymmetric() const; // capacities differ
};

// One level of the scheduler's domain tree as /sys/kernel/debug/sched/domains shows it for one CPU.
struct Domain {
    std::string name;               // "SMT", "CLS", "MC", "PKG" ...
    std::vector<std::string> flags; // sorted, "SD_..." names
    CpuSet span;
    bool operator==(const Domain &) const = default;
};

// Domains of every CPU, lowest level first; index = position in `cpus`.
struct CpuDomains {
    int cpu = 0;
    std::vector<Domain> levels;
};

void to_json(nlohmann::ordered_json &, const Topology &);
void from_json(const nlohmann::ordered_json &, Topology &);
void to_json(nlohmann::ordered_json &, const std::vector<CpuDomains> &);
void from_json(const nlohmann::ordered_json &, std::vector<CpuDomains> &);

} // namespace schedlab
