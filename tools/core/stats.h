// SPDX-License-Identifier: GPL-2.0-or-later
// What is said about samples before anything is tested. docs/statistics.md argues the choices.
#pragma once

#include <cstddef>
#include <span>

namespace schedlab {

inline constexpr double usual_level = 0.05; // two-sided: 95 % intervals, false alarms in at most 5 %

double median(std::span<const double> values); // of at least one value
double mean(std::span<const double> values);   // likewise

struct Interval {
    double low = 0, high = 0;
    bool excludes_zero() const { return low > 0 || high < 0; }
    bool within(double margin) const { return -margin <= low && high <= margin; }
    bool operator==(const Interval &) const = default;
};

// Standard deviation of single values around their own arm's mean; each arm has at least two values.
double pooled_deviation(std::span<const double> a, std::span<const double> b);

// What it takes to find a shift in 80 % of all repetitions by a two-sided rank-sum test at `level`, when single values
// scatter by `deviation` (normal approximation, efficiency 3/pi): values per arm for a shift of `effect`, at least 4;
// or the smallest shift that n against m values find.
double values_to_find(double effect, double deviation, double level = usual_level);
double detectable_shift(std::size_t n, std::size_t m, double deviation, double level = usual_level);

// The standard normal quantile that cuts off level / 2 on either side: 1.96 for 5 %.
double two_sided_z(double level);

// Bounds at `level` for the mean of a Poisson count, per boot, of which `events` were seen in `boots` boots
// (Garwood 1936). Without any event the upper one is 3.7 / boots at 5 %.
Interval poisson_mean(double events, std::size_t boots, double level = usual_level);

} // namespace schedlab
