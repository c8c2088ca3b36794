// SPDX-License-Identifier: GPL-2.0-or-later
// How the emulator is built and kept.
#pragma once

#include <optional>
#include <string>

#include "emulator/emulator.h"

namespace schedlab {

// Equal ids: the patches say the same.
std::string emulator_patches_id();

// The one with this key, if it is in the cache, whole. Counts as a use.
std::optional<Emulator> kept_emulator(const std::string &key);

} // namespace schedlab
