// SPDX-License-Identifier: GPL-2.0-or-later
// Load `frames`: what an Android phone does to show a frame, after Jankbench. Its tests are data files
// (tools/frames/NAME.conf), whose values come in as options.
#pragma once

#include "loads/load.h"

namespace schedlab {

Load frames_load();

} // namespace schedlab
