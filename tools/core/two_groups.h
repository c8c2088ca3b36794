// SPDX-License-Identifier: GPL-2.0-or-later
// Do values fall into two groups, so that no single number tells what they are?
#pragma once

#include <cstddef>
#include <optional>
#include <span>

namespace schedlab {

struct TwoGroups {
    std::size_t low = 0, high = 0; // how many values in each, at least two
    double low_median = 0, high_median = 0;
    double gap = 0; // between the groups
    double p = 1;   // of so wide a gap if the values were spread evenly over their range
};

// At the widest gap that leaves two values on either side; none for fewer than four values, or all the same.
std::optional<TwoGroups> two_groups(std::span<const double> values);

} // namespace schedlab
