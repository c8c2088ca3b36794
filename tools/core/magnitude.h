// SPDX-License-Identifier: GPL-2.0-or-later
// Which numbers from outside can be results. Logarithms, squares and quotients of these are finite, and so is whatever is told of
// them; NaN is none of them.
#pragma once

#include <cmath>

namespace schedlab {

inline bool is_measurable(double value) { return value == 0 || (std::abs(value) >= 1e-100 && std::abs(value) <= 1e100); }

} // namespace schedlab
