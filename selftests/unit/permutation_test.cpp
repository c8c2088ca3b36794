// SPDX-License-Identifier: GPL-2.0-or-later
#include "core/permutation.h"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <catch2/matchers/catch_matchers_floating_point.hpp>
#include <cmath>
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

// Two untied samples of these sizes whose U is as given: so many pairs have the a above the b.
std::pair<Values, Values> with_u(int n, int m, int u) {
    Values a, b = from_to(1, m);
    for (int i = 0; i < n; ++i) {
        const int above = std::min(m, u);
        u -= above;
        a.push_back(above + 0.5 + 0.01 * i);
    }
    return {a, b};
}
double p_of_u(int n, int m, int u) {
    const auto [a, b] = with_u(n, m, u);
    return rank_sum_p(a, b);
}
} // namespace

TEST_CASE("the shift is the median of all differences", "[permutation]") {
    CHECK(shift(Values{1, 2, 3}, Values{11, 12, 13}) == 10);
    CHECK(shift(Values{0, 0, 100}, Values{1, 1, 101}) == 1); // outliers do not pull it
}

TEST_CASE("the shift and its interval are some of the differences, whatever their signs and ties", "[permutation]") {
    const auto [n, m, step] = GENERATE(table<int, int, double>({{6, 7, 1}, {9, 4, 0.001}, {20, 31, 5}, {60, 70, 0.25}, {8, 8, 1e300}}));
    Values a, b, differences;
    for (int i = 0; i < n; ++i)
        a.push_back(step * (i * 7 % 11 - 5));
    for (int i = 0; i < m; ++i)
        b.push_back(step * (i * 5 % 13 - 6));
    for (double x : a)
        for (double y : b)
            differences.push_back(y - x);
    std::sort(differences.begin(), differences.end());
    CHECK(shift(a, b) == median(differences));
    const Interval interval = *shift_interval(a, b);
    const auto trimmed = std::ranges::lower_bound(differences, interval.low) - differences.begin();
    CHECK(differences[trimmed] == interval.low);
    CHECK(std::ranges::binary_search(differences, interval.high));
    CHECK(shift_interval(b, a) == Interval{-interval.high, -interval.low});
}

TEST_CASE("the shift of very many values takes no memory for their differences", "[permutation]") {
    constexpr int count = 30'000; // 900 million differences
    CHECK(shift(from_to(0, count), from_to(2.5, count)) == 2.5);
}

TEST_CASE("rank-sum test: exact values", "[permutation]") {
    // Complete separation: 2 of all C(n + m, n) dealings are as extreme.
    CHECK_THAT(rank_sum_p(from_to(0, 5), from_to(100, 5)), WithinRel(2 / 252.0, 1e-12));
    CHECK_THAT(rank_sum_p(from_to(100, 4), from_to(0, 4)), WithinRel(2 / 70.0, 1e-12));
    CHECK_THAT(rank_sum_p(from_to(0, 3), from_to(100, 3)), WithinRel(2 / 20.0, 1e-12));
    // U = 2 of 25: (1 + 1 + 2) dealings per side (Mann and Whitney 1947, table).
    CHECK_THAT(rank_sum_p(Values{1, 2, 3, 4, 7}, Values{5, 6, 8, 9, 10}), WithinRel(8 / 252.0, 1e-12));
}

TEST_CASE("rank-sum test: ties take mid-ranks and keep the test exact", "[permutation]") {
    CHECK(rank_sum_p(Values{1, 1}, Values{1, 2}) == 1);
    CHECK(rank_sum_p(Values{5, 5, 5}, Values{5, 5, 5}) == 1);
    // All of a equal, all of b equal, apart: as extreme as separation without ties.
    CHECK_THAT(rank_sum_p(Values(5, 0.0), Values(5, 3.0)), WithinRel(2 / 252.0, 1e-12));
}

TEST_CASE("rank-sum test: the approximation meets the exact value at the limit", "[permutation]") {
    const double exact = rank_sum_p(from_to(0, 50), from_to(6.5, 50));
    const double approximate = rank_sum_p(from_to(0, 51), from_to(6.5, 51));
    CHECK_THAT(approximate, WithinRel(exact, 0.1));
    CHECK(rank_sum_p(Values(60, 1.0), Values(60, 1.0)) == 1);
}

TEST_CASE("shift interval: exact inversion", "[permutation]") {
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

TEST_CASE("shift interval: the approximation meets the exact one at the limit", "[permutation]") {
    const auto exact = shift_interval(from_to(0, 50), from_to(12.5, 50));
    const auto approximate = shift_interval(from_to(0, 51), from_to(12.5, 51));
    REQUIRE(exact);
    REQUIRE(approximate);
    CHECK(std::abs(exact->low - approximate->low) <= 1);
    CHECK(std::abs(exact->high - approximate->high) <= 1);
}

TEST_CASE("rank-sum test: the published critical values", "[permutation]") {
    // Greatest U that is significant at 5 %, two-sided (Milton 1964; any textbook's table).
    const auto [n, m, critical] = GENERATE(table<int, int, int>(
        {{4, 4, 0}, {5, 5, 2}, {5, 10, 8}, {6, 6, 5}, {8, 8, 13}, {10, 10, 23}, {15, 15, 64}, {20, 20, 127}}));
    CAPTURE(n, m);
    CHECK(p_of_u(n, m, critical) <= 0.05);
    CHECK(p_of_u(n, m, critical + 1) > 0.05);
    // The interval counts off the differences below the critical value.
    const Values a = from_to(0, n);
    Values b, differences;
    for (int j = 0; j < m; ++j)
        b.push_back(1000 + 1.01 * j);
    for (double x : a)
        for (double y : b)
            differences.push_back(y - x);
    std::sort(differences.begin(), differences.end());
    CHECK(shift_interval(a, b)->low == differences[std::size_t(critical)]);
}

TEST_CASE("rank-sum test: the far tail is exact", "[permutation]") {
    // Of 50 against 50: 2 of C(100, 50) = 1.0089e29 dealings.
    CHECK_THAT(rank_sum_p(from_to(0, 50), from_to(100, 50)), WithinRel(2 / 1.0089134454556e29, 1e-9));
}

TEST_CASE("ties and blocks: against enumeration", "[permutation]") {
    // Counted by hand over all C(9, 4) = 126 dealings.
    CHECK_THAT(rank_sum_p(Values{1, 2, 2, 3}, Values{2, 4, 4, 5, 6}), WithinRel(7 / 126.0, 1e-12));
    // Two blocks of 2 + 2 and one of 1 + 1 can be dealt out in 6 * 6 * 2 ways.
    const std::vector<std::size_t> blocks{2, 2, 1};
    CHECK_THAT(rank_sum_p(Values{1, 2, 10, 11, 5}, Values{3, 4, 12, 13, 6}, blocks), WithinRel(2 / 72.0, 1e-12));
    CHECK_THAT(rank_sum_p(Values{1, 2, 10, 12, 5}, Values{3, 4, 11, 13, 6}, blocks), WithinRel(8 / 72.0, 1e-12));
}

TEST_CASE("blocks: differences are taken within them", "[permutation]") {
    const std::vector<std::size_t> blocks{2, 2, 2, 2, 2};
    Values a, b;
    for (int boot = 0; boot < 10; ++boot) {
        a.push_back(1000.0 * (boot / 2) + boot % 2);
        b.push_back(a.back() + 5);
    }
    CHECK(shift(a, b, blocks) == 5);
    // 20 differences; P(U <= 3) = (1 + 5 + 20 + 60) / 6^5 = 0.011, P(U <= 4) = 0.0300.
    CHECK(shift_interval(a, b, 0.05, blocks) == Interval{4, 6});
    CHECK(rank_sum_p(a, b, blocks) < 0.001);
    CHECK(rank_sum_p(a, b) > 0.4); // the blocks' own differences bury it
    CHECK_FALSE(shift_interval(Values{1, 2, 3, 4}, Values{5, 6, 7, 8}, 0.05, std::vector<std::size_t>{2, 2}));
}

TEST_CASE("the interval holds the shifts that the test does not reject", "[permutation]") {
    const Values a{3.1, 4.7, 5.2, 8.8, 9.9, 11.3}, b{5.9, 6.1, 8.3, 12.4, 13.7, 14.2, 19.1};
    const double level = GENERATE(0.05, 0.025, 0.01);
    const Interval interval = *shift_interval(a, b, level);
    const auto p_if_shifted = [&](double by) {
        Values moved = b;
        for (double &v : moved)
            v -= by;
        return rank_sum_p(a, moved);
    };
    CHECK(p_if_shifted(interval.low - 1e-6) <= level);
    CHECK(p_if_shifted(interval.low + 1e-6) > level);
    CHECK(p_if_shifted(interval.high - 1e-6) > level);
    CHECK(p_if_shifted(interval.high + 1e-6) <= level);
}

TEST_CASE("sums of counts: exact, and approximate above the limit", "[permutation]") {
    CHECK_THAT(count_sum_p(Values{0, 0, 1, 0, 0}, Values{2, 1, 0, 3, 1}), WithinRel(32 / 252.0, 1e-12));
    CHECK(count_sum_p(Values(5, 0.0), Values{0, 0, 12, 0, 0}) == 1);
    CHECK(count_sum_p(Values(60, 0.0), Values(60, 0.0)) == 1);
    Values few, many;
    for (int i = 0; i < 50; ++i) {
        few.push_back(i % 3 == 0);
        many.push_back(i % 2);
    }
    const double exact = count_sum_p(few, many);
    few.push_back(0);
    many.push_back(1);
    many.push_back(0);
    few.push_back(1);
    CHECK_THAT(count_sum_p(few, many), WithinRel(exact, 0.15));
}
