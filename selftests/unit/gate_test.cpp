// SPDX-License-Identifier: GPL-2.0-or-later
#include "core/gate.h"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_floating_point.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <random>

#include "core/error.h"
#include "thrown.h"

using namespace schedlab;
using schedlab::test::thrown;
using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::WithinAbs;
using Values = std::vector<double>;

namespace {

constexpr auto lower = Direction::lower_is_better, higher = Direction::higher_is_better;
const Metric rate{"ops_per_sec", "1/s", MetricClass::time, higher, MetricKind::value, 0};
const Metric migrations{"migrations", "1", MetricClass::placement, lower, MetricKind::count, 0};

GateResult decide(const Metric &metric, const Values &a, const Values &b, double margin, bool emulated = false) {
    const Comparison c = compare(metric, a, b, emulated);
    return gate({&c, 1}, std::vector{GateRule{metric.name, margin}}, emulated).at(0);
}

const Values base{1000, 1001, 1002, 1003, 1004, 1005};
Values scaled(double by) {
    Values values = base;
    for (double &v : values)
        v *= by;
    return values;
}

} // namespace

TEST_CASE("gate: a loss within the margin passes, beyond it fails, across it is undecided", "[gate]") {
    CHECK(decide(rate, base, scaled(0.985), 0.02).outcome == GateOutcome::passed);
    CHECK(decide(rate, base, scaled(0.97), 0.02).outcome == GateOutcome::failed);
    CHECK(decide(rate, base, scaled(0.98), 0.02).outcome == GateOutcome::undecided);
    CHECK(decide(rate, base, scaled(2), 0.02).outcome == GateOutcome::passed); // a gain is no loss
    CHECK(decide(rate, base, base, 0).outcome == GateOutcome::passed);
}

TEST_CASE("gate: the worse side is the metric's", "[gate]") {
    const Values few{10, 11, 12, 13, 14}, many{110, 111, 112, 113, 114};
    CHECK(decide(migrations, few, many, 0.02, true).outcome == GateOutcome::failed);
    CHECK(decide(migrations, many, few, 0.02, true).outcome == GateOutcome::passed);
    // One event per run is a count's resolution, whatever the percentage.
    CHECK(decide(migrations, {0, 0, 0, 0, 0, 0}, {0, 0, 1, 0, 0, 0}, 0.02, true).outcome == GateOutcome::undecided);
    CHECK(decide(migrations, {0, 0, 0, 0, 0, 0}, {0, 0, 0, 0, 0, 0}, 0.02, true).outcome == GateOutcome::passed);
}

TEST_CASE("gate: too few boots are no permission", "[gate]") {
    const GateResult three = decide(rate, {1, 1, 1}, {1, 1, 1}, 0.5);
    CHECK(three.outcome == GateOutcome::undecided);
    CHECK_THAT(three.reason, ContainsSubstring("fewer than 4"));
    const Values scattered{800, 1200, 900, 1100, 1000};
    CHECK(decide(rate, scattered, {1190, 810, 1090, 910, 1001}, 0.02).outcome == GateOutcome::undecided);
}

TEST_CASE("gate: a loss at the margin passes in at most 2.5 %", "[gate][simulation]") {
    std::mt19937_64 random(1);
    std::normal_distribution<double> noise(0, 0.01);
    int passed = 0;
    constexpr int repetitions = 2000;
    for (int i = 0; i < repetitions; ++i) {
        Values a, b;
        for (int boot = 0; boot < 8; ++boot) {
            a.push_back(1000 * std::exp(noise(random)));
            b.push_back(1000 * 0.98 * std::exp(noise(random)));
        }
        passed += decide(rate, a, b, 0.02).outcome == GateOutcome::passed;
    }
    CHECK(passed <= 0.025 * repetitions + 3 * std::sqrt(0.025 * repetitions));
    CHECK(passed > 0);
}

TEST_CASE("gate: rules as they are written", "[gate]") {
    const GateRule own = parse_gate_rule("ops_per_sec:0.5%", 0.02);
    CHECK(own.metric == "ops_per_sec");
    CHECK_THAT(own.margin, WithinAbs(0.005, 1e-12));
    CHECK(parse_gate_rule("migrations", 0.02).margin == 0.02);
    for (const char *bad : {"2", "%", "two%", "-1%", "2%%", ""})
        CHECK(thrown([&] { parse_margin(bad); }).code() == Exit::usage);
}

TEST_CASE("gate: what cannot fail is refused", "[gate]") {
    const Metric neutral{"wakeups", "1", MetricClass::placement, Direction::neutral, MetricKind::count, 0};
    CHECK_THAT(thrown([&] { decide(neutral, base, base, 0.02); }).what(), ContainsSubstring("neither more nor less"));
    CHECK_THAT(thrown([&] { decide(rate, base, base, 0.02, true); }).what(), ContainsSubstring("emulated"));
    const Comparison c = compare(rate, base, base, false);
    const Error unknown = thrown([&] { gate({&c, 1}, std::vector{GateRule{"ops_per_sek", 0.02}}, false); });
    CHECK(unknown.code() == Exit::usage);
    CHECK_THAT(unknown.remedy(), ContainsSubstring("ops_per_sec"));
}
