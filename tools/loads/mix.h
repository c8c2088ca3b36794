// SPDX-License-Identifier: GPL-2.0-or-later
// Load `mix`: several loads at once.
#pragma once

#include "loads/load.h"

namespace schedlab {

Load mix_load();

} // namespace schedlab
