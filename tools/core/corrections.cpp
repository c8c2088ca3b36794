// SPDX-License-Identifier: GPL-2.0-or-later
#include "core/corrections.h"

#include <algorithm>
#include <cstddef>
#include <numeric>

namespace schedlab {

namespace {

std::vector<std::size_t> ascending(std::span<const double> p) {
    std::vector<std::size_t> order(p.size());
    std::iota(order.begin(), order.end(), 0);
    std::sort(order.begin(), order.end(), [&](std::size_t x, std::size_t y) { return p[x] < p[y]; });
    return order;
}

} // namespace

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
