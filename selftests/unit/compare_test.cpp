// SPDX-License-Identifier: GPL-2.0-or-later
#include "core/compare.h"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_floating_point.hpp>
#include <cmath>
#include <random>

#include "core/error.h"

using namespace schedlab;
using Catch::Matchers::WithinAbs;
using Values = std::vector<double>;

namespace {

Metric count(const std::string &name = "migrations", Direction direction = Direction::lower_is_better) {
    return {name, "1", MetricClass::placement, direction, MetricKind::count, 0};
}
Metric share() {
    return {"wake.prev.same.share", "1", MetricClass::placement, Direction::neutral, MetricKind::share, 0};
}
Metric instructions() {
    return {"insn_per_op", "insn", MetricClass::path, Direction::lower_is_better, MetricKind::value, 0};
}
Metric throughput() {
    return {"ops_per_sec", "1/s", MetricClass::time, Direction::higher_is_better, MetricKind::value, 0};
}

Verdict verdict(const Metric &metric, const Values &a, const Values &b, const CompareRules &rules = {}) {
    const Comparison c = compare(metric, a, b, true, rules);
    REQUIRE(c.verdict);
    CHECK_FALSE(c.reason.empty());
    return *c.verdict;
}

Record record(std::vector<Metric> metrics, const Values &values) {
    Record r;
    r.emulated = true;
    for (std::size_t i = 0; i < metrics.size(); ++i) {
        metrics[i].value = values[i];
        r.metrics.push_back(metrics[i]);
    }
    return r;
}

} // namespace

TEST_CASE("five boots settle a count that goes from thousands to a handful", "[compare]") {
    const Comparison c = compare(count(), Values{5999, 6001, 5998, 6000, 5999}, Values{3, 1, 4, 2, 5}, true);
    CHECK(c.verdict == Verdict::better);
    CHECK(c.scale == Scale::difference);
    CHECK(c.change == -5996);
    REQUIRE(c.interval);
    CHECK(c.interval->high < -5990);
}

TEST_CASE("the direction decides between better and worse", "[compare]") {
    const Values few{1, 2, 3, 4, 5}, many{101, 102, 103, 104, 105};
    CHECK(verdict(count(), few, many) == Verdict::worse);
    CHECK(verdict(count(), many, few) == Verdict::better);
    CHECK(verdict(count("hits", Direction::higher_is_better), few, many) == Verdict::better);
    const Comparison neutral = compare(count("wakeups", Direction::neutral), few, many, true);
    CHECK_FALSE(neutral.verdict);
    CHECK(neutral.change == 100);
}

TEST_CASE("counts near zero are compared as counts", "[compare]") {
    const Comparison c = compare(count(), Values{0, 0, 0, 0, 0}, Values{7, 9, 8, 7, 9}, true);
    CHECK(c.verdict == Verdict::worse);
    CHECK(c.scale == Scale::difference);
    CHECK(c.change == 8);
    // One event per run is a count's resolution.
    CHECK(verdict(count(), Values{3, 4, 3, 4, 3}, Values{4, 3, 4, 4, 3}) == Verdict::same);
    CHECK(verdict(count(), Values{0, 9, 1, 30, 2}, Values{5, 1, 40, 0, 12}) == Verdict::unknown);
}

TEST_CASE("identical in every pair is the same, whatever the spread", "[compare]") {
    const Values wild{1, 1000, 3, 77777, 5};
    const Comparison c = compare(count(), wild, wild, true);
    CHECK(c.verdict == Verdict::same);
    CHECK(c.reason == "identical in every pair");
}

TEST_CASE("a change within the margin is the same, however sure", "[compare]") {
    CHECK(verdict(instructions(), Values{1000, 1000.1, 1000.2, 1000.3, 1000.4},
                  Values{1002, 1002.1, 1002.2, 1002.3, 1002.4}) == Verdict::same);
    CHECK(verdict(instructions(), Values{1000, 1000.1, 1000.2, 1000.3, 1000.4},
                  Values{1030, 1030.1, 1030.2, 1030.3, 1030.4}) == Verdict::worse);
    const CompareRules strict{.margin = 0.0001, .primary = {}, .noise = {}};
    CHECK(verdict(instructions(), Values{1000, 1000.1, 1000.2, 1000.3, 1000.4},
                  Values{1002, 1002.1, 1002.2, 1002.3, 1002.4}, strict) == Verdict::worse);
}

TEST_CASE("values change in proportion, shares by difference", "[compare]") {
    const Comparison value =
        compare(instructions(), Values{100, 100, 100, 101, 102}, Values{110, 110, 110, 111, 112}, true);
    CHECK(value.scale == Scale::relative);
    CHECK_THAT(value.change, WithinAbs(0.1, 0.005));
    const Comparison of_shares = compare(share(), Values{.5, .5, .5, .5, .51}, Values{.7, .7, .7, .7, .71}, true);
    CHECK(of_shares.scale == Scale::difference);
    CHECK_THAT(of_shares.change, WithinAbs(0.2, 1e-9));
    // A value of zero has no logarithm.
    CHECK(compare(instructions(), Values{0, 1, 2, 3, 4}, Values{5, 6, 7, 8, 9}, true).scale == Scale::difference);
}

TEST_CASE("emulated time has no verdict, real time has", "[compare]") {
    const Values slow{100, 101, 102, 103, 104}, fast{200, 201, 202, 203, 204};
    CHECK_FALSE(compare(throughput(), slow, fast, true).verdict);
    CHECK(compare(throughput(), slow, fast, false).verdict == Verdict::better);
}

TEST_CASE("no verdict from fewer than four boots", "[compare]") {
    CHECK_FALSE(compare(count(), Values{1, 1, 1}, Values{1, 1, 1}, true).verdict);
    CHECK_FALSE(compare(count(), Values{1}, Values{900}, true).verdict);
    CHECK(verdict(count(), Values{900, 901, 902, 903}, Values{1, 2, 3, 4}) == Verdict::better);
}

TEST_CASE("a change below the noise floor is unknown", "[compare]") {
    const Values a{100, 101, 102, 103, 104}, b{110, 111, 112, 113, 114};
    CHECK(verdict(count(), a, b) == Verdict::worse);
    const CompareRules noisy{.margin = 0.01, .primary = {}, .noise = {{"migrations", 20}}};
    CHECK(verdict(count(), a, b, noisy) == Verdict::unknown);
}

TEST_CASE("unknown says how many boots would settle it", "[compare]") {
    const Comparison c = compare(count(), Values{100, 140, 120, 160, 90}, Values{110, 150, 135, 170, 95}, true);
    CHECK(c.verdict == Verdict::unknown);
    REQUIRE(c.boots_to_settle);
    CHECK(*c.boots_to_settle > 5);
    // Twice the scatter wants four times the boots.
    const Comparison wider = compare(count(), Values{100, 180, 140, 220, 80}, Values{110, 190, 155, 230, 85}, true);
    REQUIRE(wider.boots_to_settle);
    CHECK(*wider.boots_to_settle > 2 * *c.boots_to_settle);
}

TEST_CASE("records: primary metrics decide, losses are refused", "[compare]") {
    const std::vector<Metric> metrics{count(), instructions(), throughput()};
    std::vector<Record> a, b;
    for (int seed = 0; seed < 5; ++seed) {
        a.push_back(record(metrics, {6000.0 + seed, 100.0 + seed * 0.01, 1.0 + seed}));
        b.push_back(record(metrics, {2.0 + seed, 120.0 + seed * 0.01, 9.0 + seed}));
    }
    const CompareRules rules{.margin = 0.01, .primary = {"migrations", "ops_per_sec"}, .noise = {}};
    std::vector<Comparison> all = compare_records(a, b, rules);
    REQUIRE(all.size() == 3);
    CHECK(all[0].primary);
    CHECK(all[0].verdict == Verdict::better);
    CHECK(all[1].verdict == Verdict::worse);
    CHECK_FALSE(all[2].primary); // no verdict in emulation: it cannot decide
    CHECK(conclusion(all) == Verdict::better);

    b[3].losses.push_back({"placement.map_full", 12, Severity::data_loss});
    CHECK_THROWS_AS(compare_records(a, b, rules), Error);
    b[3].losses[0].severity = Severity::info;
    CHECK_NOTHROW(compare_records(a, b, rules));

    b[2].metrics.erase(b[2].metrics.begin()); // a metric that one record lacks is not compared
    all = compare_records(a, b, rules);
    REQUIRE(all.size() == 2);
    CHECK_FALSE(conclusion(all));
}

TEST_CASE("records: exploratory metrics are corrected for their number", "[compare]") {
    // One of forty metrics is separated by chance, as p = 2/252 will be in one of 126.
    std::vector<Metric> metrics;
    for (int i = 0; i < 40; ++i)
        metrics.push_back(count("m" + std::to_string(i)));
    std::vector<Record> a, b;
    for (int seed = 0; seed < 5; ++seed) {
        Values of_a(40), of_b(40);
        for (int i = 0; i < 40; ++i) {
            of_a[i] = (seed * 7 + i * 3) % 50;
            of_b[i] = (seed * 11 + i * 5) % 50;
        }
        of_a[0] = 10 + seed;
        of_b[0] = 20 + seed;
        a.push_back(record(metrics, of_a));
        b.push_back(record(metrics, of_b));
    }
    CHECK(compare_records(a, b, {})[0].verdict == Verdict::unknown);
    const CompareRules declared{.margin = 0.01, .primary = {"m0"}, .noise = {}};
    CHECK(compare_records(a, b, declared)[0].verdict == Verdict::worse);
}

TEST_CASE("the noise floor is the change between two plans of one kernel", "[compare]") {
    std::vector<Record> once, again;
    for (int i = 0; i < 5; ++i) {
        once.push_back(record({count()}, {100.0 + i}));
        again.push_back(record({count()}, {97.0 + i}));
    }
    CHECK(noise_floor(once, again).at("migrations") == 3);
}

// The rules on simulated measurements: `boots` per arm, each with an offset of its own (the between-boot noise).
namespace simulation {

constexpr int repetitions = 2000;

struct Arms {
    Values a, b;
};

Arms draw(std::mt19937_64 &random, int boots, double planted) {
    std::normal_distribution<double> between_boots(0, 0.01);
    Arms arms;
    for (int i = 0; i < boots; ++i) {
        arms.a.push_back(1000 * (1 + between_boots(random)));
        arms.b.push_back(1000 * (1 + planted + between_boots(random)));
    }
    return arms;
}

// Without the help of the margin: the test by itself.
const CompareRules bare{.margin = 0, .primary = {}, .noise = {}};

// The share of repetitions in which a change is claimed.
double claims(int boots, double planted, const CompareRules &rules = {}) {
    std::mt19937_64 random(20201109);
    int claimed = 0;
    for (int i = 0; i < repetitions; ++i) {
        const Arms arms = draw(random, boots, planted);
        const auto verdict = compare(throughput(), arms.a, arms.b, false, rules).verdict;
        claimed += verdict == Verdict::better || verdict == Verdict::worse;
    }
    return double(claimed) / repetitions;
}

// The common mistake: the samples within the runs, pooled over boots and compared as if independent.
double naive_claims(int boots, int samples_per_boot) {
    std::mt19937_64 random(20201109);
    std::normal_distribution<double> within_run(0, 10);
    int claimed = 0;
    for (int i = 0; i < 200; ++i) {
        const Arms arms = draw(random, boots, 0);
        Values pooled_a, pooled_b;
        for (int boot = 0; boot < boots; ++boot)
            for (int s = 0; s < samples_per_boot; ++s) {
                pooled_a.push_back(arms.a[boot] + within_run(random));
                pooled_b.push_back(arms.b[boot] + within_run(random));
            }
        claimed += rank_sum_p(pooled_a, pooled_b) <= 0.05;
    }
    return claimed / 200.0;
}

} // namespace simulation

TEST_CASE("simulation: A/A false alarms stay below 5 %", "[compare][simulation]") {
    // The bare test's level is known exactly (at most 5 %); what is simulated has a standard error of its own.
    const double three_errors = 3 * std::sqrt(0.05 * 0.95 / simulation::repetitions);
    for (int boots : {4, 5, 8, 10}) {
        CHECK(simulation::claims(boots, 0) <= 0.05);
        CHECK(simulation::claims(boots, 0, simulation::bare) <= 0.05 + three_errors);
    }
}

TEST_CASE("simulation: a planted 3 % shift at 1 % noise is found", "[compare][simulation]") {
    CHECK(simulation::claims(10, 0.03) >= 0.9);
    CHECK(simulation::claims(5, 0.03) >= 0.9); // ten boots in all do, too
}

TEST_CASE("simulation: samples pooled as if independent fail the A/A test", "[compare][simulation]") {
    CHECK(simulation::naive_claims(5, 100) > 0.3);
}
