// SPDX-License-Identifier: GPL-2.0-or-later
// One run: a load under probes → a record. What the guest, a board and `schedlab bench` share.
#pragma once

#include <functional>

#include "core/job.h"
#include "core/record.h"
#include "core/topology.h"

namespace schedlab {

// Where a run takes place.
struct Surroundings {
    Topology topology;
    bool emulated = false;
    bool modelled = false; // emulated, in modelled time: CPUs have their own speeds (docs/timing.md)
    double ns_per_instruction = 0; // emulated: what the clock advances by with each; 0: unknown
};

// Runs job.load with job.options under job.probes, which count the load's own tasks. Emulated, insn_per_op is added;
// in modelled time, time metrics are of class modelled instead. Lines that a probe records go to `on_event`.
Record measure(const Job &job, const Surroundings &where,
               const std::function<void(const std::string &)> &on_event = [](const std::string &) {});

} // namespace schedlab
