// SPDX-License-Identifier: GPL-2.0-or-later
#include "core/stats.h"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_floating_point.hpp>
#include <numeric>

using namespace schedlab;
using Catch::Matchers::WithinRel;
using Values = std::vector<double>;

namespace {
Values from_to(double first, int count) {
    Values values(count);
    std::iota(values.begin(), values.end(), first);
    return values;
}
} // namespace

TEST_CASE("median of odd, even and single", "[stats]") {
    CHECK(median(Values{3, 1, 2}) == 2);
    CHECK(median(Values{4, 1, 3, 2}) == 2.5);
    CHECK(median(Values{7}) == 7);
}

TEST_CASE("the shift is the median of all differences", "[stats]") {
    CHECK(shift(Values{1, 2, 3}, Values{11, 12, 13}) == 10);
    CHECK(shift(Values{0, 0, 100}, Values{1, 1, 101}) == 1); // outliers do not pull it
}

TEST_CASE("rank-sum test: exact values", "[stats]") {
    // Complete separation: 2 of all C(n + m, n) dealings are as extreme.
    CHECK_THAT(rank_sum_p(from_to(0, 5), from_to(100, 5)), WithinRel(2 / 252.0, 1e-12));
    CHECK_THAT(rank_sum_p(from_to(100, 4), from_to(0, 4)), WithinRel(2 / 70.0, 1e-12));
    CHECK_THAT(rank_sum_p(from_to(0, 3), from_to(100, 3)), WithinRel(2 / 20.0, 1e-12));
    // U = 2 of 25: (1 + 1 + 2) dealings per side (Mann and Whitney 1947, table).
    CHECK_THAT(rank_sum_p(Values{1, 2, 3, 4, 7}, Values{5, 6, 8, 9, 10}), WithinRel(8 / 252.0, 1e-12));
}

TEST_CASE("rank-sum test: ties take mid-ranks and keep the test exact", "[stats]") {
    CHECK(rank_sum_p(Values{1, 1}, Values{1, 2}) == 1);
    CHECK(rank_sum_p(Values{5, 5, 5}, Values{5, 5, 5}) == 1);
    // All of a equal, all of b equal, apart: as extreme as separation without ties.
    CHECK_THAT(rank_sum_p(Values(5, 0.0), Values(5, 3.0)), WithinRel(2 / 252.0, 1e-12));
}

TEST_CASE("rank-sum test: the approximation meets the exact value at the limit", "[stats]") {
    const double exact = rank_sum_p(from_to(0, 50), from_to(6.5, 50));
    const double approximate = rank_sum_p(from_to(0, 51), from_to(6.5, 51));
    CHECK_THAT(approximate, WithinRel(exact, 0.1));
    CHECK(rank_sum_p(Values(60, 1.0), Values(60, 1.0)) == 1);
}

TEST_CASE("shift interval: exact inversion", "[stats]") {
    // 5 against 5: P(U <= 2) = 4/252 <= 0.025 < P(U <= 3), so the third difference from either end.
    const Values a{0, 10, 20, 30, 40}, b{1001, 1012, 1023, 1034, 1045};
    Values differences;
    for (double x : a)
        for (double y : b)
            differences.push_back(y - x);
    std::sort(differences.begin(), differences.end());
    CHECK(shift_interval(a, b) == Interval{differences[2], differences[22]});
    // 4 against 4: the outermost differences; 3 against 3 can reject nothing at 5 %.
    CHECK(shift_interval(from_to(0, 4), from_to(100, 4)) == Interval{97, 103});
    CHECK_FALSE(shift_interval(from_to(0, 3), from_to(100, 3)));
}

TEST_CASE("shift interval: the approximation meets the exact one at the limit", "[stats]") {
    const auto exact = shift_interval(from_to(0, 50), from_to(12.5, 50));
    const auto approximate = shift_interval(from_to(0, 51), from_to(12.5, 51));
    REQUIRE(exact);
    REQUIRE(approximate);
    CHECK(std::abs(exact->low - approximate->low) <= 1);
    CHECK(std::abs(exact->high - approximate->high) <= 1);
}

TEST_CASE("interval predicates", "[stats]") {
    CHECK(Interval{1, 2}.excludes_zero());
    CHECK(Interval{-2, -1}.excludes_zero());
    CHECK_FALSE(Interval{0, 1}.excludes_zero());
    CHECK(Interval{-1, 1}.within(1));
    CHECK_FALSE(Interval{-1, 1.1}.within(1));
}

TEST_CASE("pooled deviation ignores the distance between arms", "[stats]") {
    CHECK_THAT(pooled_deviation(Values{1, 2, 3}, Values{101, 102, 103}), WithinRel(1.0, 1e-12));
}

TEST_CASE("values to find an effect", "[stats]") {
    // Two-sample z test: 2 * (1.96 + 0.84)^2 = 15.7 per arm for one deviation; by ranks 3.14 / 3 times that.
    CHECK(values_to_find(1, 1) == 17);
    CHECK(values_to_find(0.5, 1) == 66);
    CHECK(values_to_find(100, 1) == 4);
}

TEST_CASE("corrections for several questions", "[stats]") {
    const Values p{0.01, 0.04, 0.03};
    const Values by_holm = holm(p), by_bh = benjamini_hochberg(p);
    CHECK_THAT(by_holm[0], WithinRel(0.03, 1e-12));
    CHECK_THAT(by_holm[2], WithinRel(0.06, 1e-12));
    CHECK_THAT(by_holm[1], WithinRel(0.06, 1e-12)); // never below a smaller p's
    CHECK_THAT(by_bh[0], WithinRel(0.03, 1e-12));
    CHECK_THAT(by_bh[1], WithinRel(0.04, 1e-12));
    CHECK_THAT(by_bh[2], WithinRel(0.04, 1e-12));
    CHECK(holm(Values{}).empty());
}
