// SPDX-License-Identifier: GPL-2.0-or-later
#include "core/warnings.h"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

using namespace schedlab;
using Catch::Matchers::ContainsSubstring;
using Values = std::vector<double>;

namespace {

Metric metric(const std::string &name, double value) {
    return {name, "ms", MetricClass::time, Direction::lower_is_better, MetricKind::value, value};
}

std::vector<Record> records(const Values &values, bool emulated = false) {
    std::vector<Record> result;
    for (double v : values) {
        Record r;
        r.seed = result.size() + 1;
        r.emulated = emulated;
        r.metrics = {metric("frame_ms", v)};
        result.push_back(r);
    }
    return result;
}

std::vector<std::string> warnings(const std::vector<Record> &a, const std::vector<Record> &b, CompareRules rules = {}) {
    rules.primary = {"frame_ms"};
    return warnings_about(a, b, compare_records(a, b, rules), rules);
}
std::vector<std::string> warnings(const Values &a, const Values &b, const CompareRules &rules = {}) {
    return warnings(records(a), records(b), rules);
}

const Values calm{10.0, 10.3, 10.1, 10.2, 9.9, 10.4, 10.15, 9.95};

} // namespace

TEST_CASE("warnings: none without a reason", "[warnings]") { CHECK(warnings(calm, calm).empty()); }

TEST_CASE("warnings: few boots", "[warnings]") {
    CHECK_THAT(warnings({10, 11, 10.5, 10.2}, {10, 11, 10.5, 10.3}).at(0), ContainsSubstring("only 4 boots"));
    CHECK_THAT(warnings({10, 11, 10.5}, {10, 11, 10.6}).at(0), ContainsSubstring("no verdict below 4"));
    // Runs of one boot are not boots.
    std::vector<Record> a = records(calm);
    for (Record &r : a)
        r.seed = 1;
    CHECK_THAT(warnings(a, records(calm)).at(0), ContainsSubstring("1 boot per arm"));
}

TEST_CASE("warnings: two groups", "[warnings]") {
    const auto found = warnings({10, 10.1, 20, 20.1, 10.05, 20.05}, {10, 10.3, 10.1, 10.2, 9.9, 10.4});
    REQUIRE(found.size() == 1);
    CHECK_THAT(found[0], ContainsSubstring("boots of a fall into two groups, 3 near 10.05 and 3 near 20.05"));
    // Groups that lie within the margin are no news.
    CHECK(warnings({10, 10.001, 10.01, 10.011, 10.0005, 10.0105}, {10, 10.3, 10.1, 10.2, 9.9, 10.4}).empty());
}

TEST_CASE("warnings: drift, where there can be any", "[warnings]") {
    const Values rising{10, 10.1, 10.2, 10.3, 10.4, 10.5};
    CHECK_THAT(warnings(rising, rising).at(0), ContainsSubstring("drifts"));
    CHECK(warnings(records(rising, true), records(rising, true)).empty());
}

TEST_CASE("warnings: a mean that contradicts most boots", "[warnings]") {
    const auto found = warnings({10.0, 10.3, 10.1, 10.2, 9.9, 10.4, 10.15, 9.95, 10.25, 10.05},
                                {9.4, 9.1, 9.2, 9.35, 9.25, 9.3, 9.15, 9.05, 9.45, 30});
    REQUIRE(found.size() == 1);
    CHECK_THAT(found[0], ContainsSubstring("outweigh"));
}

TEST_CASE("warnings: an arm that differs from itself", "[warnings]") {
    CompareRules rules;
    rules.noise["frame_ms"] = {0.2, {12.0, 12.3, 12.1, 12.2, 11.9, 12.4, 12.15, 11.95}};
    CHECK_THAT(warnings(calm, calm, rules).at(0), ContainsSubstring("A/A"));
    rules.noise["frame_ms"].again = calm;
    CHECK(warnings(calm, calm, rules).empty());
}

TEST_CASE("warnings: what records say, once; and what not all have", "[warnings]") {
    std::vector<Record> a = records(calm), b = records(calm);
    for (Record &r : a)
        r.warnings = {"no cpufreq"};
    b[2].metrics.push_back(metric("odd", 1));
    const auto found = warnings(a, b);
    CHECK(std::ranges::count(found, "no cpufreq") == 1);
    CHECK(std::ranges::count(found, "1 metrics are not in every record and are not compared") == 1);
}

TEST_CASE("contradictions: percentiles above the maximum, and out of order", "[warnings]") {
    Record r;
    r.metrics = {metric("frame_ms.p50", 5), metric("frame_ms.p99", 31.2), metric("frame_ms.p99.9", 31),
                 metric("frame_ms.max", 30.5), metric("other.p50", 99), metric("rr.port", 1)};
    const auto found = contradictions(r);
    REQUIRE(found.size() == 2);
    CHECK(found[0] == "frame_ms.p99 = 31.2 is above frame_ms.p99.9 = 31");
    CHECK(found[1] == "frame_ms.p99.9 = 31 is above frame_ms.max = 30.5");
    r.metrics = {metric("a.p5", 1), metric("a.p50", 2), metric("a.p95", 3), metric("a.max", 3)};
    CHECK(contradictions(r).empty());
}
