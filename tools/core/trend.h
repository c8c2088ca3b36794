// SPDX-License-Identifier: GPL-2.0-or-later
// Do values drift while they are taken?
#pragma once

#include <span>

namespace schedlab {

// Mann and Kendall's two-sided test of a trend that both arms share; values in the order in which they were taken. A
// difference between the arms is no trend. Exact without ties, else by the normal approximation.
double trend_p(std::span<const double> a, std::span<const double> b);

} // namespace schedlab
