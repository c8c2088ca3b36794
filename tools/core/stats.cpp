// SPDX-License-Identifier: GPL-2.0-or-later
#include "core/stats.h"

#include <algorithm>
#include <boost/math/distributions/chi_squared.hpp>
#include <boost/math/distributions/normal.hpp>
#include <cmath>
#include <numbers>
#include <numeric>
#include <vector>

namespace schedlab {

namespace {

// A rank-sum test needs pi / 3 as many normal values as a t test (Hodges and Lehmann 1956).
constexpr double inefficiency = std::numbers::pi / 3;

double squared_deviations(std::span<const double> values) {
    return std::accumulate(values.begin(), values.end(), 0.0, [center = mean(values)](double sum, double v) {
        return sum + (v - center) * (v - center);
    });
}

// Distance, in standard errors, of a shift found in 80 % of all repetitions.
double found_in_80_percent(double level) {
    return two_sided_z(level) + boost::math::quantile(boost::math::normal(), 0.8);
}

} // namespace

double median(std::span<const double> values) {
    std::vector<double> sorted(values.begin(), values.end());
    std::sort(sorted.begin(), sorted.end());
    const std::size_t half = sorted.size() / 2;
    return sorted.size() % 2 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
}

double mean(std::span<const double> values) {
    return std::accumulate(values.begin(), values.end(), 0.0) / double(values.size());
}

double pooled_deviation(std::span<const double> a, std::span<const double> b) {
    return std::sqrt((squared_deviations(a) + squared_deviations(b)) / double(a.size() + b.size() - 2));
}

double values_to_find(double effect, double deviation, double level) {
    const double ratio = found_in_80_percent(level) * deviation / effect;
    return std::max(4.0, std::ceil(2 * ratio * ratio * inefficiency));
}

double detectable_shift(std::size_t n, std::size_t m, double deviation, double level) {
    return found_in_80_percent(level) * deviation * std::sqrt((1 / double(n) + 1 / double(m)) * inefficiency);
}

double two_sided_z(double level) { return boost::math::quantile(boost::math::normal(), 1 - level / 2); }

Interval poisson_mean(double events, std::size_t boots, double level) {
    const auto bound = [&](double seen, double below) {
        return boost::math::quantile(boost::math::chi_squared(2 * seen), below) / 2 / double(boots);
    };
    return {events == 0 ? 0 : bound(events, level / 2), bound(events + 1, 1 - level / 2)};
}

} // namespace schedlab
