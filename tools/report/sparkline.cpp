// SPDX-License-Identifier: GPL-2.0-or-later
#include "report/sparkline.h"

#include <algorithm>
#include <cmath>

namespace schedlab {

namespace {

constexpr const char *blocks[] = {"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
constexpr std::size_t widest = 12; // columns per arm

std::string sparkline(std::span<const double> values, double low, double high) {
    const std::size_t step = (values.size() + widest - 1) / widest;
    std::string line;
    for (std::size_t i = 0; i < values.size(); i += step) {
        const double height = high > low ? (values[i] - low) / (high - low) : 0.5;
        line += blocks[std::clamp<long>(std::lround(height * 7), 0, 7)];
    }
    return line;
}

} // namespace

std::string sparkline_pair(std::span<const double> a, std::span<const double> b) {
    if (a.empty() || b.empty())
        return {};
    const auto [low_a, high_a] = std::ranges::minmax(a);
    const auto [low_b, high_b] = std::ranges::minmax(b);
    const double low = std::min(low_a, low_b), high = std::max(high_a, high_b);
    return sparkline(a, low, high) + " " + sparkline(b, low, high);
}

} // namespace schedlab
