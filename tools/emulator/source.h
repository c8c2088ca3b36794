// SPDX-License-Identifier: GPL-2.0-or-later
// QEMU's source, from Debian's package: without root and without touching this system.
#pragma once

#include <string>

#include "kernel/source.h"

namespace schedlab {

// The one in the cache; if there is none, the newest that the series is for is fetched. Its title is its version.
// Throws an environment error.
Source emulator_source(const Progress &progress);

} // namespace schedlab
