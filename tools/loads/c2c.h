// SPDX-License-Identifier: GPL-2.0-or-later
// Load `c2c`: what a line of memory takes from one CPU to another.
#pragma once

#include "loads/load.h"

namespace schedlab {

Load c2c_load();

} // namespace schedlab
