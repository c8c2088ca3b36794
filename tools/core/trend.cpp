// SPDX-License-Identifier: GPL-2.0-or-later
#include "core/trend.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>
#include <numbers>
#include <vector>

namespace schedlab {

namespace {

// Kendall's S: pairs that rise less pairs that fall.
int rises_less_falls(std::span<const double> values) {
    int s = 0;
    for (std::size_t i = 0; i < values.size(); ++i)
        for (std::size_t j = i + 1; j < values.size(); ++j)
            s += values[j] > values[i] ? 1 : values[j] < values[i] ? -1 : 0;
    return s;
}

// Of S when values come in random order, with the correction for ties (Kendall 1970).
double variance(std::span<const double> values) {
    std::map<double, double> ties;
    for (double v : values)
        ++ties[v];
    const auto term = [](double n) { return n * (n - 1) * (2 * n + 5); };
    double sum = term(double(values.size()));
    for (const auto &[value, tied] : ties)
        sum -= term(tied);
    return sum / 18;
}

bool has_ties(std::span<const double> values) {
    std::vector<double> sorted(values.begin(), values.end());
    std::ranges::sort(sorted);
    return std::ranges::adjacent_find(sorted) != sorted.end();
}

// One more value in random order adds 0 to `before` falling pairs, all equally likely.
void add_value(std::vector<double> &falls, std::size_t before) {
    std::vector<double> sum(falls.size() + before, 0.0);
    for (std::size_t i = 0; i < falls.size(); ++i)
        for (std::size_t added = 0; added <= before; ++added)
            sum[i + added] += falls[i] / double(before + 1);
    falls = std::move(sum);
}

double exact_p(int s, std::size_t n, std::size_t m) {
    std::vector<double> falls{1}; // the chance of so many falling pairs
    for (const std::size_t values : {n, m})
        for (std::size_t before = 1; before < values; ++before)
            add_value(falls, before);
    const int pairs = int(falls.size()) - 1;
    double p = 0;
    for (int i = 0; i <= pairs; ++i)
        if (std::abs(pairs - 2 * i) >= std::abs(s))
            p += falls[std::size_t(i)];
    return std::min(1.0, p);
}

} // namespace

double trend_p(std::span<const double> a, std::span<const double> b) {
    const int s = rises_less_falls(a) + rises_less_falls(b);
    if (!has_ties(a) && !has_ties(b))
        return exact_p(s, a.size(), b.size());
    const double spread = variance(a) + variance(b);
    if (spread == 0)
        return 1;
    const double z = std::max(0.0, std::abs(s) - 1.0) / std::sqrt(spread);
    return std::erfc(z / std::numbers::sqrt2);
}

} // namespace schedlab
