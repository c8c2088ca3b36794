// SPDX-License-Identifier: GPL-2.0-or-later
// Two independent samples: how far apart, how surely. Tests by permutation: the values seen, dealt out to the arms in
// all ways that the plan could have dealt them. Exact up to `exact_limit` values in all, and by the normal
// approximation (with correction for ties) above.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "core/stats.h"

namespace schedlab {

inline constexpr std::size_t exact_limit = 100;

// Sizes of the blocks in which the values were taken: the first blocks[0] of a and the first blocks[0] of b form the
// first one, and so on. Values are then dealt out, and differences taken, within blocks only, so that slow drift
// cancels. Empty: no blocks, any sizes.
using Blocks = std::span<const std::size_t>;

// Hodges and Lehmann's shift of b against a: the median of all differences b[j] - a[i] (within blocks).
double shift(std::span<const double> a, std::span<const double> b, Blocks blocks = {});

// The shifts that the rank-sum test does not reject at `level`, by exact inversion (two of the sorted differences).
// Ties only widen it. Empty if so few values can reject nothing (3 against 3 at 5 %).
std::optional<Interval> shift_interval(std::span<const double> a, std::span<const double> b,
                                       double level = usual_level, Blocks blocks = {});

// Two-sided test of the rank sum (Wilcoxon 1945, Mann and Whitney 1947; over blocks: van Elteren 1960), ties by
// mid-ranks: the share of all dealings whose rank sum is at least as far from its mean.
double rank_sum_p(std::span<const double> a, std::span<const double> b, Blocks blocks = {});

// The same test of the sum of the values themselves, which are small counts: ranks of counts near zero are mostly ties.
double count_sum_p(std::span<const double> a, std::span<const double> b, Blocks blocks = {});

} // namespace schedlab
