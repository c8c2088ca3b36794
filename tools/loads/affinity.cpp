// SPDX-License-Identifier: GPL-2.0-or-later
#include "loads/affinity.h"

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <fmt/format.h>

#include "core/error.h"
#include "core/place.h"
#include "sys/topology_reader.h"

namespace schedlab {
namespace {

cpu_set_t current_affinity() {
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof(set), &set) != 0)
        throw run_error(fmt::format("cannot read this task's CPUs: {}", errno_text(errno)));
    return set;
}

// A CPU list needs no look at the machine.
bool names_groups(const std::string &place) {
    return std::ranges::any_of(place, [](unsigned char c) { return std::isalpha(c); });
}

} // namespace

CpuSet cpus_here(const std::string &place, std::string_view option) {
    const cpu_set_t allowed = current_affinity();
    CpuSet cpus;
    try {
        cpus = cpus_at(names_groups(place) ? read_topology() : Topology(), place);
    } catch (const Error &e) {
        throw Error(e.code(), fmt::format("--{} {}: {}", option, place, e.what()), e.remedy());
    }
    for (const int cpu : cpus)
        if (cpu >= CPU_SETSIZE || !CPU_ISSET(cpu, &allowed))
            throw usage_error(fmt::format("--{} {}: CPU {} is not there, or not ours to use", option, place, cpu),
                              "see Cpus_allowed_list in /proc/self/status (taskset, cpusets and --on set it)");
    return cpus;
}

CpuSet cpus_allowed() {
    const cpu_set_t allowed = current_affinity();
    std::vector<int> cpus;
    for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu)
        if (CPU_ISSET(cpu, &allowed))
            cpus.push_back(cpu);
    return CpuSet(std::move(cpus));
}

void confine_to(const CpuSet &cpus) {
    if (cpus.empty())
        return;
    cpu_set_t set;
    CPU_ZERO(&set);
    for (const int cpu : cpus)
        CPU_SET(cpu, &set);
    if (sched_setaffinity(0, sizeof(set), &set) != 0)
        throw run_error(fmt::format("cannot move to CPUs {}: {}", cpus.to_list(), errno_text(errno)));
}

SavedAffinity::SavedAffinity() : saved_(current_affinity()) {}

SavedAffinity::~SavedAffinity() { sched_setaffinity(0, sizeof(saved_), &saved_); }

} // namespace schedlab
