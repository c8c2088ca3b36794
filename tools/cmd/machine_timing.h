// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include "core/machine.h"
#include "core/record.h"

namespace schedlab {

// Prints what load c2c measured between `cpus`. Throws a run error if that is not what the model's [timing] says.
int report_timing(const Machine &machine, const CpuSet &cpus, const Record &record, bool json);

} // namespace schedlab
