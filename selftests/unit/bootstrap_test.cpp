// SPDX-License-Identifier: GPL-2.0-or-later
#include "core/bootstrap.h"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_floating_point.hpp>
#include <cmath>
#include <random>

using namespace schedlab;
using Catch::Matchers::WithinAbs;

namespace {

NestedRuns single_runs(std::vector<double> values) {
    return {std::vector<std::size_t>(values.size(), 1), {std::move(values)}};
}

double width(const Interval &interval) { return interval.high - interval.low; }

} // namespace

TEST_CASE("bootstrap: two boots have few resamples, all known", "[bootstrap]") {
    // One boot is drawn of two: the shift is 9 or 10.
    CHECK(mean_shift_intervals(single_runs({0, 1}), single_runs({10, 10})) == std::vector{Interval{9, 10}});
    // Boots of two runs: the mean of the runs drawn is 0, 1 or 2 in the first, 100 in the second.
    const NestedRuns a{{2, 2}, {{0, 2, 100, 100}}};
    CHECK(mean_shift_intervals(a, single_runs({0, 0})) == std::vector{Interval{-100, 0}});
}

TEST_CASE("bootstrap: of many boots, as normal theory has it", "[bootstrap]") {
    std::mt19937_64 random(1);
    std::normal_distribution<double> normal;
    std::vector<double> a, b;
    for (int i = 0; i < 50; ++i) {
        a.push_back(normal(random));
        b.push_back(5 + normal(random));
    }
    const Interval interval = mean_shift_intervals(single_runs(a), single_runs(b))[0];
    const double error = pooled_deviation(a, b) * std::sqrt(2 / 50.0), shift = mean(b) - mean(a);
    CHECK_THAT(interval.low, WithinAbs(shift - 1.96 * error, 0.15 * error));
    CHECK_THAT(interval.high, WithinAbs(shift + 1.96 * error, 0.15 * error));
}

TEST_CASE("bootstrap: runs that differ by boot count as boots", "[bootstrap]") {
    // Four boots that lie far apart, each of ten runs that do not.
    std::vector<double> runs;
    for (int boot = 0; boot < 4; ++boot)
        for (int run = 0; run < 10; ++run)
            runs.push_back(100 * boot + run);
    const NestedRuns nested{{10, 10, 10, 10}, {runs}}, flat = single_runs(runs);
    CHECK(width(mean_shift_intervals(nested, nested)[0]) > 2.5 * width(mean_shift_intervals(flat, flat)[0]));
}

TEST_CASE("bootstrap: the same seed gives the same, every metric its own", "[bootstrap]") {
    const NestedRuns a{{1, 1, 1, 1}, {{1, 2, 3, 4}, {10, 20, 30, 40}}}, b{{1, 1, 1, 1}, {{2, 4, 6, 8}, {20, 40, 60, 80}}};
    const auto once = mean_shift_intervals(a, b);
    CHECK(once == mean_shift_intervals(a, b));
    REQUIRE(once.size() == 2);
    // The draws are shared by all metrics: the second is ten times the first.
    CHECK_THAT(once[1].low, WithinAbs(10 * once[0].low, 1e-9));
    CHECK_THAT(once[1].high, WithinAbs(10 * once[0].high, 1e-9));
}
