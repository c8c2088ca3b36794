// SPDX-License-Identifier: GPL-2.0-or-later
// CPUs named by where they are, for the machine that a load will run on.
#pragma once

#include <string_view>

#include "core/topology.h"

namespace schedlab {

// A place is a list of pieces joined by commas: "node:N" (the NUMA node of that number), "llc:N", "cluster:N" and
// "core:N" (the Nth of them, from 0, in the order of their first CPUs), "big" and "little" (the CPUs of the most
// and of the least capacity), and CPUs as in a CPU list. "node:0,64-67" is the union of both.

// Throws a usage error that names a piece which is none of these.
void check_place(std::string_view place);

// Its CPUs. Throws a usage error that names the piece and what the machine has instead.
CpuSet cpus_at(const Topology &topology, std::string_view place);

} // namespace schedlab
