// SPDX-License-Identifier: GPL-2.0-or-later
#include "core/spread.h"

#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>

using namespace schedlab;

TEST_CASE("tasks that start on cores of their own never share", "[spread]") {
    const std::vector<std::vector<Stay>> tasks = {{{10, 0}}, {{10, 4}}};
    const Spread spread = spread_of(tasks, 4, 10, 100);
    CHECK(spread.settled_ns == 10);
    CHECK(spread.shared_ns == 0);
}

TEST_CASE("two on a core share it while another has none", "[spread]") {
    const std::vector<std::vector<Stay>> tasks = {{{0, 0}}, {{0, 0}, {30, 2}, {50, 0}, {60, 2}}};
    const Spread spread = spread_of(tasks, 2, 0, 100);
    CHECK(spread.settled_ns == 30);
    CHECK(spread.shared_ns == 40); // 0 to 30, and again 50 to 60
}

TEST_CASE("more tasks than cores: it counts that no core is without", "[spread]") {
    const std::vector<std::vector<Stay>> tasks = {{{0, 0}}, {{0, 0}, {20, 1}}, {{0, 0}}};
    const Spread spread = spread_of(tasks, 2, 0, 100);
    CHECK(spread.settled_ns == 20);
    CHECK(spread.shared_ns == 20);
}

TEST_CASE("never spread: the end is said, and all the time", "[spread]") {
    const std::vector<std::vector<Stay>> tasks = {{{0, 3}}, {{0, 3}}};
    const Spread spread = spread_of(tasks, 8, 0, 100);
    CHECK(spread.settled_ns == 100);
    CHECK(spread.shared_ns == 100);
}

TEST_CASE("a task that has not run yet waits for a core", "[spread]") {
    const std::vector<std::vector<Stay>> tasks = {{{0, 0}}, {{25, 1}}, {}};
    CHECK(spread_of(tasks, 2, 0, 100).shared_ns == 25);
    CHECK(spread_of(tasks, 3, 0, 100).shared_ns == 100);
}

TEST_CASE("Jain's index", "[spread]") {
    const double equal[] = {0.5, 0.5, 0.5, 0.5}, all_to_one[] = {1, 0, 0, 0}, two_to_one[] = {2, 1};
    CHECK(fairness(equal) == Catch::Approx(1));
    CHECK(fairness(all_to_one) == Catch::Approx(0.25));
    CHECK(fairness(two_to_one) == Catch::Approx(0.9));
}
