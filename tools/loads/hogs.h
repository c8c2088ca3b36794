// SPDX-License-Identifier: GPL-2.0-or-later
// Load `hogs`: CPU-bound tasks, and how fairly and how soon the scheduler spreads them over the cores.
#pragma once

#include "loads/load.h"

namespace schedlab {

Load hogs_load();

} // namespace schedlab
