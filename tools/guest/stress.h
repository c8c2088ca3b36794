// SPDX-License-Identifier: GPL-2.0-or-later
// A load on a machine that changes under it.
#pragma once

#include "core/job.h"
#include "core/record.h"

namespace schedlab {

// Does job.load with options.load again and again until the machine has changed options.changes times, and its scheduler
// features options.features (names; those that the kernel lacks are left out) with it. The record has a count of each
// kind of change. Throws a run error unless the scheduler's domains are afterwards what they were before.
Record stress(const Job &job);

} // namespace schedlab
