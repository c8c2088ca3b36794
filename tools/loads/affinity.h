// SPDX-License-Identifier: GPL-2.0-or-later
// Which CPUs a load's task may use.
#pragma once

#include <sched.h>
#include <string_view>

#include "core/cpulist.h"

namespace schedlab {

// Throws a usage error, named after `option`, if this process may not use all of `cpus`.
void check_cpus(const CpuSet &cpus, std::string_view option);

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
