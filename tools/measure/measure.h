// SPDX-License-Identifier: GPL-2.0-or-later
// One run: a load under probes → a record. What the guest, a board and `schedlab bench` share.
#pragma once

#include "core/job.h"
#include "core/record.h"
#include "core/topology.h"

namespace schedlab {

// Runs job.load with job.options under job.probes. `emulated` marks time metrics as such and adds insn_per_op
// where guest time is instructions (icount). Placement metrics count the load's own tasks.
Record measure(const Job &job, const Topology &topology, bool emulated);

} // namespace schedlab
