// SPDX-License-Identifier: GPL-2.0-or-later
// What things take on a modelled machine (docs/timing.md): the [timing] section of a model.
#pragma once

#include <string>
#include <vector>

#include "core/cpulist.h"

namespace schedlab {

// The CPUs that are equally near: a core's, a cluster's, ... the machine's.
struct TimingLevel {
    std::string name;
    std::vector<CpuSet> groups; // every CPU is in one
    int cache_kib = 0;          // what a group shares; 0: no cache, or one without an end
    double line_ns = 0;         // a line of memory that comes from another CPU of the group, beyond the instruction
    double interrupt_ns = 0;    // an interrupt to another CPU of the group
};

struct Timing {
    std::vector<int> speed;          // by CPU; 1024: an instruction takes 1 ns
    int quantum_ns = 200;            // how far a CPU may run ahead of the others
    double memory_ns = 0;            // a line that no cache holds
    std::vector<TimingLevel> levels; // nearest first; the last one's group is the machine
};

// The nearest level that holds both.
const TimingLevel &level_between(const Timing &timing, int a, int b);
// CPU 0 and, for each level on which it has a neighbour, the first of them: every distance lies between two of these.
CpuSet distances_in_short(const Timing &timing);

// As schedlab's emulator reads it (-icount timing=FILE).
std::string timing_file(const Timing &timing);

} // namespace schedlab
