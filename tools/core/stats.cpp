// SPDX-License-Identifier: GPL-2.0-or-later
#include "core/stats.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <numbers>
#include <numeric>

namespace schedlab {

namespace {

// Standard normal quantiles: what a two-sided test at 5 % and a power of 80 % are made of.
constexpr double z_975 = 1.959964, z_80 = 0.841621;

double normal_tail(double z) { return 0.5 * std::erfc(z / std::numbers::sqrt2); }

// Twice the mid-rank of each value of a then b among all: integers even where ties share a rank.
std::vector<int> doubled_ranks(std::span<const double> a, std::span<const double> b) {
    std::vector<double> all(a.begin(), a.end());
    all.insert(all.end(), b.begin(), b.end());
    std::vector<double> sorted = all;
    std::sort(sorted.begin(), sorted.end());
    std::vector<int> ranks;
    for (double v : all) {
        auto [first, last] = std::equal_range(sorted.begin(), sorted.end(), v);
        ranks.push_back(int(first - sorted.begin()) + 1 + int(last - sorted.begin()));
    }
    return ranks;
}

// shares[s]: the share of all choices of `take` of `ranks` whose sum is s.
std::vector<double> sum_distribution(std::span<const int> ranks, std::size_t take) {
    const int top = std::accumulate(ranks.begin(), ranks.end(), 0);
    std::vector<std::vector<double>> ways(take + 1, std::vector<double>(top + 1, 0.0));
    ways[0][0] = 1;
    int so_far = 0;
    for (std::size_t i = 0; i < ranks.size(); ++i) {
        so_far += ranks[i];
        for (std::size_t k = std::min(take, i + 1); k > 0; --k)
            for (int s = so_far; s >= ranks[i]; --s)
                ways[k][s] += ways[k - 1][s - ranks[i]];
    }
    std::vector<double> shares = std::move(ways[take]);
    const double total = std::accumulate(shares.begin(), shares.end(), 0.0);
    for (double &share : shares)
        share /= total;
    return shares;
}

// How many of the n * m sorted differences have to be counted off from either end, so that the true shift lies
// beyond them with a probability of at most 2.5 % per side; 0: even the outermost are not far enough out.
std::size_t differences_trimmed(std::size_t n, std::size_t m) {
    if (n + m > exact_limit)
        return std::size_t(double(n * m) / 2 - z_975 * std::sqrt(double(n * m * (n + m + 1)) / 12));
    std::vector<int> ranks(n + m);
    std::iota(ranks.begin(), ranks.end(), 1);
    const std::vector<double> shares = sum_distribution(ranks, n);
    const std::size_t lowest = n * (n + 1) / 2; // the rank sum of the n smallest
    std::size_t trimmed = 0;
    for (double beyond = shares[lowest]; beyond <= 0.025; beyond += shares[lowest + trimmed])
        ++trimmed;
    return trimmed;
}

std::vector<double> sorted_differences(std::span<const double> a, std::span<const double> b) {
    std::vector<double> differences;
    for (double x : a)
        for (double y : b)
            differences.push_back(y - x);
    std::sort(differences.begin(), differences.end());
    return differences;
}

double squared_deviations(std::span<const double> values) {
    const double mean = std::accumulate(values.begin(), values.end(), 0.0) / double(values.size());
    return std::accumulate(values.begin(), values.end(), 0.0,
                           [mean](double sum, double v) { return sum + (v - mean) * (v - mean); });
}

std::vector<std::size_t> ascending(std::span<const double> p) {
    std::vector<std::size_t> order(p.size());
    std::iota(order.begin(), order.end(), 0);
    std::sort(order.begin(), order.end(), [&](std::size_t x, std::size_t y) { return p[x] < p[y]; });
    return order;
}

} // namespace

double median(std::span<const double> values) {
    std::vector<double> sorted(values.begin(), values.end());
    std::sort(sorted.begin(), sorted.end());
    const std::size_t half = sorted.size() / 2;
    return sorted.size() % 2 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
}

double shift(std::span<const double> a, std::span<const double> b) { return median(sorted_differences(a, b)); }

std::optional<Interval> shift_interval(std::span<const double> a, std::span<const double> b) {
    const std::size_t trimmed = differences_trimmed(a.size(), b.size());
    if (trimmed == 0)
        return std::nullopt;
    const std::vector<double> differences = sorted_differences(a, b);
    return Interval{differences[trimmed - 1], differences[differences.size() - trimmed]};
}

double rank_sum_p(std::span<const double> a, std::span<const double> b) {
    const std::vector<int> ranks = doubled_ranks(a, b);
    const double n = double(a.size()), m = double(b.size()), all = n + m;
    const int sum = std::accumulate(ranks.begin(), ranks.begin() + std::ptrdiff_t(a.size()), 0);
    const double middle = n * (all + 1); // of the doubled sum
    const double distance = std::abs(sum - middle);
    if (a.size() + b.size() > exact_limit) {
        // The variance of ranks drawn without replacement; ties are in it by themselves.
        const double mean = all + 1;
        double spread = 0;
        for (int rank : ranks)
            spread += (rank - mean) * (rank - mean);
        const double deviation = std::sqrt(n * m / (all * (all - 1)) * spread);
        return deviation == 0 ? 1 : std::min(1.0, 2 * normal_tail(std::max(0.0, distance - 1) / deviation));
    }
    const std::vector<double> shares = sum_distribution(ranks, a.size());
    double p = 0;
    for (std::size_t s = 0; s < shares.size(); ++s)
        if (std::abs(double(s) - middle) >= distance)
            p += shares[s];
    return std::min(1.0, p);
}

double pooled_deviation(std::span<const double> a, std::span<const double> b) {
    return std::sqrt((squared_deviations(a) + squared_deviations(b)) / double(a.size() + b.size() - 2));
}

double values_to_find(double effect, double deviation) {
    const double ratio = (z_975 + z_80) * deviation / effect;
    return std::max(4.0, std::ceil(2 * ratio * ratio * std::numbers::pi / 3));
}

std::vector<double> holm(std::span<const double> p) {
    std::vector<double> adjusted(p.size());
    double floor = 0;
    std::size_t left = p.size();
    for (std::size_t i : ascending(p))
        adjusted[i] = floor = std::max(floor, std::min(1.0, p[i] * double(left--)));
    return adjusted;
}

std::vector<double> benjamini_hochberg(std::span<const double> p) {
    std::vector<double> adjusted(p.size());
    const std::vector<std::size_t> order = ascending(p);
    double ceiling = 1;
    for (std::size_t rank = p.size(); rank > 0; --rank) {
        const std::size_t i = order[rank - 1];
        adjusted[i] = ceiling = std::min(ceiling, p[i] * double(p.size()) / double(rank));
    }
    return adjusted;
}

} // namespace schedlab
