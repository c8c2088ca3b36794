// SPDX-License-Identifier: GPL-2.0-or-later
#include "loads/affinity.h"

#include <cerrno>
#include <fmt/format.h>

#include "core/error.h"

namespace schedlab {
namespace {

cpu_set_t current_affinity() {
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof(set), &set) != 0)
        throw run_error(fmt::format("cannot read this task's CPUs: {}", errno_text(errno)));
    return set;
}

} // namespace

void check_cpus(const CpuSet &cpus, std::string_view option) {
    const cpu_set_t allowed = current_affinity();
    for (const int cpu : cpus)
        if (cpu >= CPU_SETSIZE || !CPU_ISSET(cpu, &allowed))
            throw usage_error(fmt::format("--{} {}: CPU {} is not there, or not ours to use", option,
                                          cpus.to_list(), cpu),
                              "see Cpus_allowed_list in /proc/self/status (taskset and cpusets set it)");
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
