// SPDX-License-Identifier: GPL-2.0-or-later
// How often verdicts are wrong, on simulated measurements whose truth is known, and what the bootstrap costs. Printed, not
// asserted: selftests/unit/simulation_test.cpp asserts the same at a smaller size.
#include <chrono>
#include <fmt/format.h>
#include <random>

#include "core/bootstrap.h"
#include "../unit/simulation.h"

using namespace schedlab;
using namespace schedlab::simulation;

namespace {

constexpr std::size_t repetitions = 10'000;
constexpr double noises[] = {0.005, 0.01, 0.05};
constexpr std::size_t sizes[] = {5, 10, 20}, budgets[] = {8, 18, 38};
const CompareRules bare{.margin = 0};

std::string percent(double part) { return fmt::format("{:.1f} %", 100 * part); }

void print_false_alarms() {
    fmt::print("changes claimed where there are none, of {} comparisons (20 samples per boot, 1 % noise within):\n"
               "  boot noise  boots  verdicts  test alone  in blocks  samples pooled\n",
               repetitions);
    for (const double noise : noises)
        for (const std::size_t boots : sizes) {
            const Study study{.boot_noise = noise, .boots = boots, .repetitions = repetitions};
            std::vector<std::size_t> blocks(boots / 2, 2);
            if (boots % 2)
                blocks.push_back(1);
            Study fewer = study; // of 800 samples each, and wrong enough
            fewer.repetitions = repetitions / 20;
            fmt::print("  {:>10}  {:>5}  {:>8}  {:>10}  {:>9}  {:>14}\n", percent(noise), boots, percent(claims(study)),
                       percent(claims(study, bare)), percent(claims(study, {.margin = 0, .blocks = blocks})),
                       percent(naive_claims(fewer)));
        }
}

void print_sequential() {
    fmt::print("\nlooked at again and again (--until-settled), up to a budget of boots per arm:\n"
               "  boot noise  budget  nothing there: claimed (test alone)  settled  boots   3 % there: found  boots\n");
    for (const double noise : noises)
        for (const std::size_t budget : budgets) {
            Study study{.boot_noise = noise, .boots = budget, .repetitions = repetitions};
            const Sequential nothing = sequentially(study), alone = sequentially(study, bare);
            study.planted = 0.03;
            const Sequential found = sequentially(study);
            fmt::print("  {:>10}  {:>6}  {:>22} {:>12}  {:>7}  {:>5.1f}   {:>16}  {:>5.1f}\n", percent(noise), budget,
                       percent(nothing.claims), fmt::format("({})", percent(alone.claims)), percent(nothing.settled),
                       nothing.boots, percent(found.claims), found.boots);
        }
}

void print_power() {
    fmt::print("\n3 % more, at 1 % noise between boots, found:\n");
    for (const std::size_t boots : sizes)
        fmt::print("  {:>2} boots per arm: {}\n", boots,
                   percent(claims({.boots = boots, .planted = 0.03, .repetitions = repetitions})));
}

void print_bootstrap_cost() {
    constexpr std::size_t metrics = 100, boots = 10, runs = 4;
    std::mt19937_64 random(1);
    std::normal_distribution<double> normal;
    NestedRuns arm{std::vector<std::size_t>(boots, runs), {}};
    for (std::size_t metric = 0; metric < metrics; ++metric) {
        std::vector<double> &values = arm.values.emplace_back();
        for (std::size_t run = 0; run < boots * runs; ++run)
            values.push_back(normal(random));
    }
    const auto begin = std::chrono::steady_clock::now();
    const auto intervals = mean_shift_intervals(arm, arm);
    const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - begin;
    fmt::print("\nhierarchical bootstrap: {} resamples of {} metrics, {} runs per arm: {:.2f} s\n", usual_resamples,
               intervals.size(), boots * runs, spent.count());
}

} // namespace

int main() {
    print_false_alarms();
    print_sequential();
    print_power();
    print_bootstrap_cost();
}
