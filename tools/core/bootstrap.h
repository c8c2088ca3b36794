// SPDX-License-Identifier: GPL-2.0-or-later
// The hierarchical bootstrap: boots are drawn again, then runs within the boots drawn (Davison and Hinkley 1997, 3.8).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/stats.h"

namespace schedlab {

// Runs of one arm, those of a boot in succession.
struct NestedRuns {
    std::vector<std::size_t> runs;           // of each boot
    std::vector<std::vector<double>> values; // values[metric][run]
};

inline constexpr std::size_t usual_resamples = 10'000;

// For each metric an interval at `level` for how far the mean over boots (each the mean of its runs) lies higher in b
// than in a. Every draw is applied to all metrics. n - 1 of n boots are drawn: with n the intervals would be too narrow
// by the part sqrt((n - 1) / n) (Hesterberg 2015). Each arm needs two boots. The same seed gives the same intervals.
std::vector<Interval> mean_shift_intervals(const NestedRuns &a, const NestedRuns &b, double level = usual_level,
                                           std::size_t resamples = usual_resamples, std::uint64_t seed = 1);

} // namespace schedlab
