// SPDX-License-Identifier: GPL-2.0-or-later
// How the emulator is built.
#pragma once

#include <string>

namespace schedlab {

// Equal ids: the patches say the same.
std::string emulator_patches_id();

} // namespace schedlab
