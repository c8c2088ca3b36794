// SPDX-License-Identifier: GPL-2.0-or-later
// How often the rules are wrong, on data whose truth is known. `make bench` prints the same at ten times the size.
#include "simulation.h"

#include <boost/math/distributions/binomial.hpp>
#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <cmath>
#include <random>

#include "core/bootstrap.h"
#include "core/permutation.h"
#include "core/sequential.h"

using namespace schedlab;
using namespace schedlab::simulation;

namespace {

// Without the help of the margin: the tests by themselves.
const CompareRules bare{.margin = 0};

// The level is at most 5 %; what is seen of it in so many repetitions has a standard error of its own.
double level_and_three_errors(std::size_t repetitions) {
    return usual_level + 3 * std::sqrt(usual_level * (1 - usual_level) / double(repetitions));
}

} // namespace

TEST_CASE("simulation: A/A false alarms stay at 5 %", "[simulation]") {
    const Study study{.boot_noise = GENERATE(0.005, 0.01, 0.05), .boots = GENERATE(5, 10, 20)};
    CAPTURE(study.boot_noise, study.boots);
    CHECK(claims(study) <= level_and_three_errors(study.repetitions));
    CHECK(claims(study, bare) <= level_and_three_errors(study.repetitions));
}

TEST_CASE("simulation: A/A false alarms in balanced blocks stay at 5 %", "[simulation]") {
    const std::size_t boots = GENERATE(6, 10, 20);
    const CompareRules blocked{.margin = 0, .blocks = std::vector<std::size_t>(boots / 2, 2)};
    const Study study{.boots = boots};
    CHECK(claims(study, blocked) <= level_and_three_errors(study.repetitions));
    CHECK(claims(study, blocked) > 0); // it does reject
}

TEST_CASE("simulation: A/A false alarms stay at 5 % under peeking", "[simulation]") {
    const Study study{.boot_noise = GENERATE(0.005, 0.01, 0.05), .boots = GENERATE(8, 18, 38), .repetitions = 500};
    CAPTURE(study.boot_noise, study.boots);
    CHECK(sequentially(study).claims <= usual_level);
    CHECK(sequentially(study, bare).claims <= level_and_three_errors(study.repetitions));
}

TEST_CASE("simulation: a planted 3 % at 1 % noise is found", "[simulation]") {
    CHECK(claims({.boots = 10, .planted = 0.03}) >= 0.9);
    CHECK(claims({.boots = 5, .planted = -0.03}) >= 0.9); // ten boots in all find it, too
    const CompareRules blocked{.blocks = std::vector<std::size_t>(5, 2)};
    CHECK(claims({.boots = 10, .planted = 0.03}, blocked) >= 0.9);
}

TEST_CASE("simulation: looking early saves boots", "[simulation]") {
    const Sequential found = sequentially({.boots = 38, .planted = 0.03, .repetitions = 500});
    CHECK(found.claims >= 0.9);
    CHECK(found.boots < 12);
    const Sequential nothing = sequentially({.boot_noise = 0.005, .boots = 38, .repetitions = 500});
    CHECK(nothing.settled >= 0.9); // the same, within 1 %
}

TEST_CASE("simulation: samples pooled as if independent fail the A/A test", "[simulation]") {
    const Study study{.boot_noise = 0.01, .boots = GENERATE(5, 10), .repetitions = 200};
    CHECK(naive_claims(study) > 0.3);
    CHECK(claims(study, bare) <= level_and_three_errors(study.repetitions)); // the same data
}

TEST_CASE("simulation: events in bursts fail a Poisson test, and not the permutation of boots", "[simulation]") {
    std::mt19937_64 random(1);
    std::poisson_distribution<int> bursts(0.3);
    constexpr int repetitions = 1000, boots = 10, burst = 6;
    int by_poisson = 0, by_permutation = 0;
    for (int i = 0; i < repetitions; ++i) {
        std::vector<double> a, b;
        for (int boot = 0; boot < boots; ++boot) {
            a.push_back(burst * bursts(random));
            b.push_back(burst * bursts(random));
        }
        // Of all events, as many in either arm as a fair coin deals out?
        const double in_a = mean(a) * boots, all = in_a + mean(b) * boots;
        const boost::math::binomial coin(all, 0.5);
        by_poisson += 2 * cdf(coin, std::min(in_a, all - in_a)) <= usual_level;
        by_permutation += count_sum_p(a, b) <= usual_level;
    }
    CHECK(by_poisson > 0.2 * repetitions);
    CHECK(by_permutation <= level_and_three_errors(repetitions) * repetitions);
}

TEST_CASE("simulation: the hierarchical bootstrap covers the true shift", "[simulation]") {
    std::mt19937_64 random(1);
    std::normal_distribution<double> between(0, 1), within(0, 1);
    constexpr int repetitions = 300;
    constexpr std::size_t boots = 10, runs = 3;
    const auto arm = [&] {
        NestedRuns drawn{std::vector<std::size_t>(boots, runs), {{}}};
        for (std::size_t boot = 0; boot < boots; ++boot)
            for (double here = between(random), run = 0; run < runs; ++run)
                drawn.values[0].push_back(here + within(random));
        return drawn;
    };
    int covered = 0, covered_by_runs = 0;
    for (int i = 0; i < repetitions; ++i) {
        const NestedRuns a = arm(), b = arm();
        const auto covers = [](const Interval &interval) { return !interval.excludes_zero(); };
        covered += covers(mean_shift_intervals(a, b, usual_level, 1000)[0]);
        // All runs as if each were a boot.
        const std::vector<std::size_t> single(boots * runs, 1);
        covered_by_runs += covers(mean_shift_intervals({single, a.values}, {single, b.values}, usual_level, 1000)[0]);
    }
    CHECK(covered >= 0.93 * repetitions);
    CHECK(covered_by_runs < 0.9 * repetitions);
}
