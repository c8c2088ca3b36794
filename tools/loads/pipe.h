// SPDX-License-Identifier: GPL-2.0-or-later
// Load `pipe`: two tasks pass a token back and forth over two pipes, as `perf bench sched pipe` does.
#pragma once

#include "loads/load.h"

namespace schedlab {

Load pipe_load();

} // namespace schedlab
