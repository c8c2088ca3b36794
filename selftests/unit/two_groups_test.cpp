// SPDX-License-Identifier: GPL-2.0-or-later
#include "core/two_groups.h"

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <catch2/matchers/catch_matchers_floating_point.hpp>
#include <random>
#include <vector>

using namespace schedlab;
using Catch::Matchers::WithinAbs;
using Catch::Matchers::WithinRel;
using Values = std::vector<double>;

TEST_CASE("two groups: where they part", "[two_groups]") {
    const auto groups = two_groups(Values{12, 6001, 11, 5999, 13});
    REQUIRE(groups);
    CHECK(groups->low == 3);
    CHECK(groups->high == 2);
    CHECK(groups->low_median == 12);
    CHECK(groups->high_median == 6000);
    CHECK(groups->gap == 5986);
    CHECK(groups->p < 0.01);
    CHECK_FALSE(two_groups(Values{1, 1, 9}));
    CHECK_FALSE(two_groups(Values(8, 5.0)));
}

TEST_CASE("two groups: one value by itself is no group", "[two_groups]") {
    CHECK(two_groups(Values{1, 2, 3, 4, 5, 6, 7, 900})->p > 0.9);
}

TEST_CASE("two groups: the chance of a gap", "[two_groups]") {
    // Of four values one gap counts: it takes the part g of the range with a chance of (1 - g)^2.
    CHECK_THAT(two_groups(Values{0, 1, 9, 10})->p, WithinRel(0.04, 1e-9));
    // Of five, either of two: 2 (1 - g)^3 - (1 - 2 g)^3.
    CHECK_THAT(two_groups(Values{0, 3, 7, 8, 10})->p, WithinRel(2 * 0.216 - 0.008, 1e-9));
}

TEST_CASE("two groups: evenly spread values seem grouped as rarely as they should", "[two_groups][simulation]") {
    std::mt19937_64 random(1);
    std::uniform_real_distribution<double> even;
    std::normal_distribution<double> normal;
    constexpr int repetitions = 20'000;
    const std::size_t boots = GENERATE(5, 10, 20);
    int of_even = 0, of_normal = 0;
    for (int i = 0; i < repetitions; ++i) {
        Values a, b;
        for (std::size_t j = 0; j < boots; ++j) {
            a.push_back(even(random));
            b.push_back(normal(random));
        }
        of_even += two_groups(a)->p <= 0.05;
        of_normal += two_groups(b)->p <= 0.01;
    }
    CHECK_THAT(double(of_even) / repetitions, WithinAbs(0.05, 0.005));
    CHECK(double(of_normal) / repetitions <= 0.01);
}
