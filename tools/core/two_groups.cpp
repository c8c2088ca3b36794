// SPDX-License-Identifier: GPL-2.0-or-later
#include "core/two_groups.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/stats.h"

namespace schedlab {

namespace {

// The chance that one of `eligible` of the n - 1 gaps between n evenly spread values takes more than `part` of their
// range: k given gaps all do with a chance of (1 - k part)^(n - 2) (Whitworth 1901), and those are summed by inclusion
// and exclusion.
double wide_gap_p(std::size_t n, std::size_t eligible, double part) {
    double p = 0, ways = 1;
    for (std::size_t k = 1; k <= eligible && double(k) * part < 1; ++k) {
        ways *= double(eligible - k + 1) / double(k);
        p += (k % 2 ? 1 : -1) * ways * std::pow(1 - double(k) * part, double(n - 2));
    }
    return std::clamp(p, 0.0, 1.0);
}

} // namespace

std::optional<TwoGroups> two_groups(std::span<const double> values) {
    if (values.size() < 4)
        return std::nullopt;
    std::vector<double> sorted(values.begin(), values.end());
    std::ranges::sort(sorted);
    const double range = sorted.back() - sorted.front();
    if (range == 0)
        return std::nullopt;
    TwoGroups widest;
    for (std::size_t low = 2; low + 2 <= sorted.size(); ++low)
        if (const double gap = sorted[low] - sorted[low - 1]; low == 2 || gap > widest.gap) {
            widest.low = low;
            widest.gap = gap;
        }
    widest.high = sorted.size() - widest.low;
    widest.low_median = median(std::span(sorted).first(widest.low));
    widest.high_median = median(std::span(sorted).last(widest.high));
    widest.p = wide_gap_p(sorted.size(), sorted.size() - 3, widest.gap / range);
    return widest;
}

} // namespace schedlab
