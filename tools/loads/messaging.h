// SPDX-License-Identifier: GPL-2.0-or-later
// Load `messaging`: in each group every sender writes to every receiver, as in hackbench.
#pragma once

#include "loads/load.h"

namespace schedlab {

Load messaging_load();

} // namespace schedlab
