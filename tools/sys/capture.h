// SPDX-License-Identifier: GPL-2.0-or-later
// Reads this machine as core/captured_model wants it. `root` stands in for "/" (tests use saved trees).
#pragma once

#include <filesystem>

#include "core/captured_model.h"

namespace schedlab {

// From sysfs, /proc and, for root, debugfs; without the last, `domains` stays empty. Throws an environment error.
CapturedMachine capture_machine(const std::filesystem::path &root = "/");

} // namespace schedlab
