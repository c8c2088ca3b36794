// SPDX-License-Identifier: GPL-2.0-or-later
// Load `wake`: message threads and their workers, after schbench.
#pragma once

#include "loads/load.h"

namespace schedlab {

Load wake_load();

} // namespace schedlab
