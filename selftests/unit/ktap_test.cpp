// SPDX-License-Identifier: GPL-2.0-or-later
#include <catch2/catch_test_macros.hpp>

#include "core/ktap.h"

using namespace schedlab;

namespace {

KtapReport parse(std::vector<std::string> lines) {
    lines.insert(lines.begin(), "KTAP version 1");
    return parse_ktap(lines);
}

} // namespace

TEST_CASE("ktap: results, with figures between them") {
    const KtapReport report = parse({"1..3", "# 0 moves", "ok 1 stays", "not ok 2 - leaves", "ok 3 clamps # SKIP no clamps",
                                     "# Totals: pass:1 fail:1"});
    REQUIRE(report.fault.empty());
    REQUIRE(report.results.size() == 3);
    CHECK(report.results[0].name == "stays");
    CHECK(report.results[0].outcome == TestOutcome::passed);
    CHECK(report.results[1].name == "leaves");
    CHECK(report.results[1].outcome == TestOutcome::failed);
    CHECK(report.results[2].outcome == TestOutcome::skipped);
    CHECK(report.results[2].reason == "no clamps");
    CHECK(report.count(TestOutcome::skipped) == 1);
    CHECK_FALSE(report.good());
}

TEST_CASE("ktap: a result without a name, and a directive that is no skip") {
    const KtapReport report = parse({"1..2", "ok 1", "ok 2 known # TODO later"});
    REQUIRE(report.good());
    CHECK(report.results[0].name.empty());
    CHECK(report.results[1].name == "known");
    CHECK(report.results[1].outcome == TestOutcome::passed);
}

TEST_CASE("ktap: subtests count through their parent") {
    const KtapReport report = parse({"1..1", "    KTAP version 1", "    1..2", "    ok 1 a", "    not ok 2 b", "not ok 1 both"});
    CHECK(report.fault.empty());
    CHECK(report.results.size() == 1);
}

TEST_CASE("ktap: output that is not whole is no success") {
    CHECK(parse_ktap({}).fault == "the first line is no KTAP version");
    CHECK(parse_ktap(std::vector<std::string>{"1..1", "ok 1 a"}).fault == "the first line is no KTAP version");
    CHECK(parse({"ok 1 a"}).fault == "no plan");
    CHECK(parse({"1..2", "ok 1 a"}).fault == "1 results of 2 planned");
    CHECK(parse({"1..1", "ok 1 a", "ok 2 b"}).fault == "2 results of 1 planned");
    CHECK(parse({"1..2", "ok 1 a", "ok 1 a"}).fault == "result 1 where 2 was due");
    CHECK(parse({"1..1", "1..1", "ok 1 a"}).fault == "a second plan");
    CHECK(parse({"1..0"}).fault == "a plan of nothing");
    CHECK(parse({"1..2", "ok 1 a", "Bail out! no memory"}).fault == "it gave up: no memory");
    CHECK_FALSE(parse({"1..2", "ok 1 a"}).good());
}

TEST_CASE("ktap: a program that cannot run here says why") {
    const KtapReport report = parse({"1..0 # SKIP one capacity"});
    CHECK(report.fault.empty());
    CHECK(report.skipped_whole == "one capacity");
    CHECK(report.results.empty());
}
