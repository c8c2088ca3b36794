// SPDX-License-Identifier: GPL-2.0-or-later
// Two independent samples: how far apart, how surely. Everything is exact up to `exact_limit` values in
// all, and by the normal approximation (with correction for ties) above. docs/measuring.md argues the choices.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace schedlab {

inline constexpr std::size_t exact_limit = 100;

double median(std::span<const double> values); // of at least one value

struct Interval {
    double low = 0, high = 0;
    bool excludes_zero() const { return low > 0 || high < 0; }
    bool within(double margin) const { return -margin <= low && high <= margin; }
    bool operator==(const Interval &) const = default;
};

// Hodges and Lehmann's shift of b against a: the median of all differences b[j] - a[i].
double shift(std::span<const double> a, std::span<const double> b);
// A 95 % interval for it: the shifts that the rank-sum test does not reject at 5 %, by exact inversion (two of the
// sorted differences). Ties only widen it. Empty if so few values can reject nothing (3 against 3).
std::optional<Interval> shift_interval(std::span<const double> a, std::span<const double> b);

// Two-sided permutation test of the rank sum (Wilcoxon, Mann and Whitney), ties by mid-ranks: the share of all
// ways to deal the pooled values out to two arms of these sizes whose rank sum is at least as far from the middle.
double rank_sum_p(std::span<const double> a, std::span<const double> b);

// Standard deviation of single values around their own arm's mean; each arm has at least two values.
double pooled_deviation(std::span<const double> a, std::span<const double> b);

// Values per arm with which a two-sided rank-sum test at 5 % finds a shift of `effect` in 80 % of all
// repetitions, when single values scatter by `deviation` (normal approximation, efficiency 3/pi).
double values_to_find(double effect, double deviation);

// p-values corrected for having asked several questions; same order as given.
std::vector<double> holm(std::span<const double> p);
std::vector<double> benjamini_hochberg(std::span<const double> p);

} // namespace schedlab
