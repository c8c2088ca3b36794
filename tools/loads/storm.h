// SPDX-License-Identifier: GPL-2.0-or-later
// Load `storm`: several wakers release many sleepers at one instant.
#pragma once

#include "loads/load.h"

namespace schedlab {

Load storm_load();

} // namespace schedlab
