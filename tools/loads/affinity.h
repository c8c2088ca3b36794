// SPDX-License-Identifier: GPL-2.0-or-later
// Which CPUs a load's task may use.
#pragma once

#include <sched.h>
#include <string>
#include <string_view>

#include "core/cpulist.h"

namespace schedlab {

// The CPUs of `place` (core/place.h) on this machine; none if it is empty. Throws a usage error, named after
// `option`, if the machine has no such place, or this task may not use all of it.
CpuSet cpus_here(const std::string &place, std::string_view option);

CpuSet cpus_allowed(); // of the calling thread

// Confines the calling thread to `cpus`; the empty set changes nothing. Throws a run error.
void confine_to(const CpuSet &cpus);

// Gives the calling thread its CPUs back at the end of the scope.
class SavedAffinity {
public:
    SavedAffinity();
    ~SavedAffinity();
    SavedAffinity(const SavedAffinity &) = delete;
    SavedAffinity &operator=(const SavedAffinity &) = delete;

private:
    cpu_set_t saved_;
};

} // namespace schedlab
