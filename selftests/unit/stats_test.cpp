// SPDX-License-Identifier: GPL-2.0-or-later
#include "core/stats.h"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_floating_point.hpp>
#include <cmath>
#include <vector>

using namespace schedlab;
using Catch::Matchers::WithinRel;
using Values = std::vector<double>;

TEST_CASE("median of odd, even and single", "[stats]") {
    CHECK(median(Values{3, 1, 2}) == 2);
    CHECK(median(Values{4, 1, 3, 2}) == 2.5);
    CHECK(median(Values{7}) == 7);
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

TEST_CASE("detectable shift and values to find agree", "[stats]") {
    const double found_by_20 = detectable_shift(20, 20, 1);
    CHECK(values_to_find(found_by_20 * 1.0001, 1) == 20);
    CHECK_THAT(detectable_shift(80, 80, 1), WithinRel(found_by_20 / 2, 1e-9));
    CHECK(detectable_shift(20, 20, 1, 0.01) > found_by_20); // a stricter level finds less
    CHECK_THAT(detectable_shift(10, 1'000'000, 1), WithinRel(2.80158 * std::sqrt(0.1 * 3.14159265 / 3), 1e-4));
}

TEST_CASE("normal quantiles", "[stats]") {
    CHECK_THAT(two_sided_z(0.05), WithinRel(1.959964, 1e-6));
    CHECK_THAT(two_sided_z(0.01), WithinRel(2.575829, 1e-6));
}

TEST_CASE("bounds of a Poisson mean: Garwood's table", "[stats]") {
    // 95 %, from one observation of so many events.
    CHECK(poisson_mean(0, 1).low == 0);
    CHECK_THAT(poisson_mean(0, 1).high, WithinRel(3.689, 1e-3));
    CHECK_THAT(poisson_mean(5, 1).low, WithinRel(1.623, 1e-3));
    CHECK_THAT(poisson_mean(5, 1).high, WithinRel(11.668, 1e-3));
    CHECK_THAT(poisson_mean(10, 1).low, WithinRel(4.795, 1e-3));
    CHECK_THAT(poisson_mean(10, 1).high, WithinRel(18.390, 1e-3));
    CHECK_THAT(poisson_mean(10, 10).high, WithinRel(1.8390, 1e-3)); // per boot
}
