// SPDX-License-Identifier: GPL-2.0-or-later
// Load `spawn`: processes that are forked, exec and exit.
#pragma once

#include <optional>

#include "loads/load.h"

namespace schedlab {

Load spawn_load();

// A program of which a process of this load is an instance calls it first in main(): the exit status to leave with,
// or nothing if it was started by somebody else.
std::optional<int> spawned_step(int argc, char **argv);

} // namespace schedlab
