// SPDX-License-Identifier: GPL-2.0-or-later
// Reads this system's topology and scheduler domains. `root` stands in for "/" (tests use saved trees).
#pragma once

#include <filesystem>
#include <vector>

#include "core/topology.h"

namespace schedlab {

// From sysfs: topology/, cache/index*/shared_cpu_list, cpu_capacity, node*. Throws an environment error.
Topology read_topology(const std::filesystem::path &root = "/");
// From debugfs sched/domains (name, flags) and, for spans, the groups' CPUs; needs sched_verbose on the command line
// for flags. Throws an environment error with the remedy when debugfs or the files are missing.
std::vector<CpuDomains> read_domains(const std::filesystem::path &root = "/");

} // namespace schedlab
