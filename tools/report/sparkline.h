// SPDX-License-Identifier: GPL-2.0-or-later
// Values as a row of blocks, one per boot.
#pragma once

#include <span>
#include <string>

namespace schedlab {

// Both arms on one scale, in UTF-8: "▁▂▁▁ ▇▇█▇". Of more boots than fit, every n-th is shown.
std::string sparkline_pair(std::span<const double> a, std::span<const double> b);

} // namespace schedlab
