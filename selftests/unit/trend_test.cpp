// SPDX-License-Identifier: GPL-2.0-or-later
#include "core/trend.h"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_floating_point.hpp>
#include <numeric>
#include <vector>

using namespace schedlab;
using Catch::Matchers::WithinAbs;
using Values = std::vector<double>;

TEST_CASE("trend: Kendall's table", "[trend]") {
    // Twice the one-sided chances of S (Kendall 1970, table 1); the other arm is one value, which has no order.
    const Values one{0};
    CHECK_THAT(trend_p(Values{1, 2, 3, 4}, one), WithinAbs(2 * 0.042, 0.001));           // S = 6
    CHECK_THAT(trend_p(Values{1, 2, 3, 5, 4}, one), WithinAbs(2 * 0.042, 0.001));        // S = 8
    CHECK_THAT(trend_p(Values{5, 4, 3, 2, 1}, one), WithinAbs(2 * 0.0083, 0.0001));      // S = -10
    CHECK_THAT(trend_p(Values{1, 2, 3, 4, 6, 5, 10, 7, 9, 8}, one), WithinAbs(2 * 0.00047, 0.00003)); // S = 33
    CHECK(trend_p(Values{2, 1, 4, 3}, one) > 0.7);                                       // S = 2
}

TEST_CASE("trend: both arms count, and their difference does not", "[trend]") {
    const Values up{1, 2, 3, 4, 5}, far_up{1001, 1002, 1003, 1004, 1005}, down{5, 4, 3, 2, 1};
    CHECK_THAT(trend_p(up, far_up), WithinAbs(2.0 / (120 * 120), 1e-9));
    CHECK(trend_p(up, down) == 1);
}

TEST_CASE("trend: ties", "[trend]") {
    CHECK(trend_p(Values(6, 3.0), Values(6, 4.0)) == 1);
    const Values steps{1, 1, 2, 2, 3, 3, 4, 4, 5, 5};
    CHECK(trend_p(steps, steps) < 0.001);
    // As the exact one, but for the few ties.
    Values almost(12);
    std::iota(almost.begin(), almost.end(), 0.0);
    std::swap(almost[0], almost[5]);
    std::swap(almost[3], almost[9]);
    Values tied = almost;
    tied[1] = tied[2];
    CHECK_THAT(trend_p(tied, Values{0}), WithinAbs(trend_p(almost, Values{0}), 0.02));
}
