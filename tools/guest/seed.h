// SPDX-License-Identifier: GPL-2.0-or-later
// What makes runs differ that all begin in the same saved state.
#pragma once

#include <cstdint>

namespace schedlab {

// Draws from `seed` what the kernel's random numbers are from here on, and which of its CPUs the caller is on.
void apply_seed(std::uint64_t seed);

} // namespace schedlab
