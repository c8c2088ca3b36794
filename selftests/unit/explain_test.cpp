// SPDX-License-Identifier: GPL-2.0-or-later
#include "core/explain.h"

#include <catch2/catch_test_macros.hpp>

using namespace schedlab;

namespace {

constexpr auto lower = Direction::lower_is_better, higher = Direction::higher_is_better;

// Five boots per arm, all at a and all at b.
Comparison row(const std::string &name, MetricKind kind, Direction direction, double a, double b,
               MetricClass cls = MetricClass::placement) {
    return compare({name, "1", cls, direction, kind, 0}, std::vector<double>(5, a), std::vector<double>(5, b), false);
}
Comparison count(const std::string &name, double a, double b) { return row(name, MetricKind::count, lower, a, b); }
Comparison share(const std::string &name, double a, double b) {
    return row(name, MetricKind::share, Direction::neutral, a, b);
}
Comparison score(double a, double b) {
    Comparison c = row("ops_per_sec", MetricKind::value, higher, a, b, MetricClass::time);
    c.primary = true;
    return c;
}

Explanation one(const std::vector<Comparison> &comparisons) {
    const std::vector<Explanation> all = explain(comparisons);
    REQUIRE(all.size() == 1);
    return all[0];
}

} // namespace

TEST_CASE("explain: a loss and its mechanism", "[explain]") {
    const Explanation e = one({score(1000, 920), share("wake.waker.within_cluster.share", 0.98, 0.59)});
    CHECK(e.metric == "ops_per_sec");
    CHECK(e.agreement == Agreement::agrees);
    CHECK(e.text == "ops_per_sec fell by 8.0 %; wakeups out of the waker's cluster rose from 2.0 % to 41.0 %: agrees");
}

TEST_CASE("explain: a gain and its mechanism", "[explain]") {
    const Explanation e = one({score(1000, 1100), count("missed.prev", 6000, 12),
                               share("wake.prev.same.share", 0.1, 0.9)});
    CHECK(e.agreement == Agreement::agrees);
    CHECK(e.text == "ops_per_sec rose by 10.0 %; wakeups on the CPU last run on rose from 10.0 % to 90.0 %, "
                    "wakeups that left an idle previous CPU fell from 6000 to 12: agrees");
}

TEST_CASE("explain: the ledger may speak against the score, or in part", "[explain]") {
    const Explanation against = one({score(1000, 920), count("missed.idle", 500, 10)});
    CHECK(against.agreement == Agreement::against);
    CHECK(against.text ==
          "ops_per_sec fell by 8.0 %; wakeups on a busy CPU beside an idle one fell from 500 to 10: speaks against it");
    const Explanation mixed = one({score(1000, 920), count("missed.idle", 500, 10), count("migrations", 10, 500)});
    CHECK(mixed.agreement == Agreement::mixed);
    CHECK(mixed.text == "ops_per_sec fell by 8.0 %; migrations rose from 10 to 500: agrees; "
                        "wakeups on a busy CPU beside an idle one fell from 500 to 10: speaks against it");
}

TEST_CASE("explain: nothing moved that matters", "[explain]") {
    CHECK(one({score(1000, 920)}).text == "ops_per_sec fell by 8.0 %: no mechanism seen");
    // Forks are no mechanism, and a count that moved by less than its resolution did not move.
    const Explanation e = one({score(1000, 920), row("forks", MetricKind::count, Direction::neutral, 10, 500),
                               count("stacked", 3, 3)});
    CHECK(e.agreement == Agreement::none);
}

TEST_CASE("explain: a score that stood still", "[explain]") {
    const Explanation same = one({score(1000, 1001), count("migrations", 10, 500)});
    CHECK(same.agreement == Agreement::open);
    CHECK(same.text == "ops_per_sec is the same, though migrations rose from 10 to 500");
    Comparison unknown = compare({"ops_per_sec", "1/s", MetricClass::time, higher, MetricKind::value, 0},
                                 std::vector<double>{100, 200, 150, 120, 180},
                                 std::vector<double>{110, 210, 140, 130, 190}, false);
    unknown.primary = true;
    REQUIRE(unknown.verdict == Verdict::unknown);
    CHECK(one({unknown, count("migrations", 10, 500)}).text ==
          "whether ops_per_sec changed is unknown, though migrations rose from 10 to 500");
}

TEST_CASE("explain: migrations are no reason for migrations, their causes are", "[explain]") {
    std::vector<Comparison> all{count("migrations", 6000, 3), count("migrations.wakeup", 5990, 1)};
    all[0].primary = true;
    CHECK(one(all).text == "migrations fell from 6000 to 3; migrations at wakeup fell from 5990 to 1: agrees");
}

TEST_CASE("explain: one row of each part, the one that moved most", "[explain]") {
    const Explanation e = one({score(1000, 920), share("wake.prev.within_cluster.share", 0.9, 0.8),
                               share("wake.waker.within_cluster.share", 0.9, 0.1)});
    CHECK(e.text == "ops_per_sec fell by 8.0 %; wakeups out of the waker's cluster rose from 10.0 % to 90.0 %: agrees");
}

TEST_CASE("explain: only what decides, and only with a verdict", "[explain]") {
    Comparison emulated = compare({"ops_per_sec", "1/s", MetricClass::time, higher, MetricKind::value, 0},
                                  std::vector<double>(5, 1.0), std::vector<double>(5, 2.0), true);
    emulated.primary = true;
    CHECK(explain(std::vector{emulated, count("migrations", 10, 500)}).empty());
}
