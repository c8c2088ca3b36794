// SPDX-License-Identifier: GPL-2.0-or-later
// Reads this system's topology and scheduler domains. `root` stands in for "/" (tests use saved trees).
#pragma once

#include <filesystem>
#include <vector>

#include "core/topology.h"

namespace schedlab {

// From sysfs: topology/, cache/index*/shared_cpu_list, cpu_capacity, node*. A cluster that is the whole last-level
// cache is no level of its own, as in the scheduler's domains. Throws an environment error.
Topology read_topology(const std::filesystem::path &root = "/");
// Names and flags from debugfs sched/domains (root, and sched_verbose on the command line), spans from
// /proc/schedstat, which alone has them. Throws an environment error with the remedy when something is missing.
std::vector<CpuDomains> read_domains(const std::filesystem::path &root = "/");

} // namespace schedlab
