// SPDX-License-Identifier: GPL-2.0-or-later
// CPU time that a load spends on purpose: arithmetic in registers, calibrated in microseconds of a CPU that nothing
// disturbs. A slow CPU of real hardware takes longer by itself. In emulation all CPUs are equally fast, so there
// work is scaled: a CPU of half the capacity executes twice the instructions.
#pragma once

#include <cstdint>

#include "core/topology.h"

namespace schedlab {

// From now on this process's work takes 1024 / capacity as many instructions on each CPU.
void scale_work_by_capacity(const Topology &topology);

// Measures once how fast this machine is, some milliseconds long. A load does it before its tasks start; work()
// itself does otherwise.
void calibrate_work();

// Works for `us` microseconds. The CPU is looked up for every 10 of them, so a task that is moved meanwhile goes on
// at its new CPU's speed.
void work(std::int64_t us);

} // namespace schedlab
