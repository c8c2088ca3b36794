// SPDX-License-Identifier: GPL-2.0-or-later
// Reads a topology that hwloc saved (lstopo machine.xml) as core/captured_model wants it.
#pragma once

#include <filesystem>

#include "core/captured_model.h"

namespace schedlab {

// CPUs that were offline are left out. hwloc does not tell isolated CPUs or domains: `isolated` and `domains` stay empty.
// Throws a usage error for a file that hwloc cannot read.
CapturedMachine capture_hwloc(const std::filesystem::path &xml);

} // namespace schedlab
