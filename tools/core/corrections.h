// SPDX-License-Identifier: GPL-2.0-or-later
// p-values corrected for having asked several questions; in the order given.
#pragma once

#include <span>
#include <vector>

namespace schedlab {

// Holm (1979): the chance of any false alarm among all is kept, however they depend on each other.
std::vector<double> holm(std::span<const double> p);
// Benjamini and Hochberg (1995): the expected part of false alarms among all alarms is kept.
std::vector<double> benjamini_hochberg(std::span<const double> p);

} // namespace schedlab
