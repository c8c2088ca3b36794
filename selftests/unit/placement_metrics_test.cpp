// SPDX-License-Identifier: GPL-2.0-or-later
#include "probes/placement_metrics.h"

#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>
#include <cstdio>
#include <map>
#include <string>

using namespace schedlab;
using Catch::Approx;

namespace {

// Two nodes; node 0: CPUs 0-3 with SMT pairs, clusters of 2 cores and one LLC; node 1: CPU 4, bigger.
const Topology topology{{{0, 0, 0, 0, 0, 512},
                         {1, 0, 0, 0, 0, 512},
                         {2, 2, 0, 0, 0, 512},
                         {3, 3, 3, 0, 0, 512},
                         {4, 4, 4, 4, 1, 1024}}};

// hikey960's first CPUs: clusters that are the last-level caches, of equal CPUs.
const Topology plain{{{0, 0, 0, 0, 0, 1024}, {1, 1, 1, 0, 0, 1024}, {2, 2, 2, 2, 0, 1024}}};

std::map<std::string, Metric> ledger(const placement_counts &counts, const Topology &where = topology) {
    std::map<std::string, Metric> rows;
    for (const Metric &metric : placement_metrics(counts, where)) {
        INFO(metric.name);
        CHECK(rows.emplace(metric.name, metric).second); // no name twice
    }
    return rows;
}

int step(int from, int to) { return placement_step(topology, from, to); }

constexpr const char *distances[] = {"same", "smt", "cluster", "llc", "node", "remote"};

double sum_of_shares(const std::map<std::string, Metric> &rows, const std::string &origin) {
    double sum = 0;
    for (const char *distance : distances)
        sum += rows.at(origin + "." + distance + ".share").value;
    return sum;
}

} // namespace

TEST_CASE("a step tells distance and capacity", "[placement]") {
    CHECK(step(0, 0) == 3 * int(Distance::same));
    CHECK(step(0, 1) == 3 * int(Distance::smt));
    CHECK(step(0, 2) == 3 * int(Distance::cluster));
    CHECK(step(3, 0) == 3 * int(Distance::llc));
    CHECK(step(0, 4) == 3 * int(Distance::remote) + capacity_up);
    CHECK(step(4, 0) == 3 * int(Distance::remote) + capacity_down);
}

TEST_CASE("wakeups that stay are at their previous CPU", "[placement]") {
    placement_counts counts{};
    counts.woken[step(0, 0)] = 6;
    counts.woken[step(0, 2)] = 4;
    const auto rows = ledger(counts);
    CHECK(rows.at("wakeups").value == 10);
    CHECK(rows.at("wake.prev.same.share").value == 1);
    CHECK(rows.at("wake.waker.same.share").value == Approx(0.6));
    CHECK(rows.at("wake.waker.cluster.share").value == Approx(0.4));
    CHECK(rows.at("wake.waker.within_cluster.share").value == Approx(1));
    CHECK(rows.at("migrations").value == 0);
}

TEST_CASE("a wakeup that moves is taken from where it would have stayed", "[placement]") {
    // Waker on CPU 0. Ten wakeups of tasks that last ran on CPU 3; four of them were put on CPU 4, one on CPU 0.
    placement_counts counts{};
    counts.woken[step(0, 3)] = 10;
    counts.left[step(0, 3)] = 5;
    counts.taken[step(0, 4)] = 4;
    counts.taken[step(0, 0)] = 1;
    counts.moved[step(3, 4)] = 4;
    counts.moved[step(3, 0)] = 1;
    counts.migrations[cause_wakeup][step(3, 4)] = 4;
    counts.migrations[cause_wakeup][step(3, 0)] = 1;
    const auto rows = ledger(counts);
    CHECK(rows.at("wake.prev.same").value == 5);
    CHECK(rows.at("wake.prev.llc").value == 1);
    CHECK(rows.at("wake.prev.remote").value == 4);
    CHECK(rows.at("wake.prev.cap_up.share").value == Approx(0.4));
    CHECK(rows.at("wake.prev.cap_down.share").value == 0);
    CHECK(rows.at("wake.waker.llc").value == 5);
    CHECK(rows.at("wake.waker.remote").value == 4);
    CHECK(rows.at("wake.waker.same").value == 1);
    CHECK(rows.at("wake.waker.within_cluster.share").value == Approx(0.1));
    CHECK(sum_of_shares(rows, "wake.prev") == Approx(1));
    CHECK(sum_of_shares(rows, "wake.waker") == Approx(1));
    CHECK(rows.at("migrations").value == 5);
    CHECK(rows.at("migrations.wakeup").value == 5);
    CHECK(rows.at("migrations.cap_up").value == 4);
}

TEST_CASE("migrations add up over causes and over distances, forks stand apart", "[placement]") {
    placement_counts counts{};
    counts.migrations[cause_exec][step(0, 1)] = 1;
    counts.migrations[cause_balance][step(0, 2)] = 2;
    counts.migrations[cause_affinity][step(0, 3)] = 4;
    counts.migrations[cause_hotplug][step(4, 0)] = 8;
    counts.forked[step(0, 0)] = 16;
    counts.forked[step(0, 4)] = 32;
    const auto rows = ledger(counts);
    CHECK(rows.at("migrations").value == 15);
    CHECK(rows.at("migrations.exec").value == 1);
    CHECK(rows.at("migrations.balance").value == 2);
    CHECK(rows.at("migrations.affinity").value == 4);
    CHECK(rows.at("migrations.hotplug").value == 8);
    CHECK(rows.at("migrations.wakeup").value == 0);
    CHECK(rows.at("migrations.smt").value == 1);
    CHECK(rows.at("migrations.cluster").value == 2);
    CHECK(rows.at("migrations.llc").value == 4);
    CHECK(rows.at("migrations.node").value == 0);
    CHECK(rows.at("migrations.remote").value == 8);
    CHECK(rows.at("migrations.cap_down").value == 8);
    CHECK(rows.at("forks").value == 48);
    CHECK(rows.at("migrations.fork").value == 32);
}

TEST_CASE("no share of nothing, no capacity where all are equal", "[placement]") {
    const auto rows = ledger({}, plain);
    CHECK_FALSE(rows.contains("wake.prev.same.share"));
    CHECK_FALSE(rows.contains("migrations.cap_up"));
    CHECK(rows.at("wakeups").value == 0);
    CHECK(rows.at("migrations").direction == Direction::lower_is_better);
    CHECK(rows.at("migrations").kind == MetricKind::count);
}

TEST_CASE("rows about clusters only where there are some between core and last-level cache", "[placement]") {
    CHECK(has_distance(topology, Distance::cluster));
    CHECK_FALSE(has_distance(plain, Distance::cluster));
    placement_counts counts{};
    counts.woken[step(0, 0)] = 1;
    for (const char *row :
         {"wake.prev.within_cluster.share", "wake.waker.within_cluster.share", "missed.cluster"}) {
        INFO(row);
        CHECK(ledger(counts).contains(row));
        CHECK_FALSE(ledger(counts, plain).contains(row));
    }
}

TEST_CASE("what was missed is fewer the better", "[placement]") {
    placement_counts counts{};
    counts.missed[miss_prev] = 1;
    counts.missed[miss_cluster] = 2;
    counts.missed[miss_idle] = 3;
    counts.missed[miss_stacked] = 4;
    const auto rows = ledger(counts);
    CHECK(rows.at("missed.prev").value == 1);
    CHECK(rows.at("missed.cluster").value == 2);
    CHECK(rows.at("missed.idle").value == 3);
    CHECK(rows.at("stacked").value == 4);
    CHECK(rows.at("stacked").direction == Direction::lower_is_better);
}

TEST_CASE("tasks stand alone or together under their command", "[placement]") {
    const auto task = [](unsigned pid, unsigned long long started, const char *comm, unsigned long long wakeups) {
        TaskCounts t{{started, pid, pid}, {}};
        t.counts.wakeups = wakeups;
        t.counts.missed[miss_idle] = 1;
        std::snprintf(t.counts.comm, sizeof(t.counts.comm), "%s", comm);
        return t;
    };
    // The last is another task with a PID that was used before.
    const std::vector<TaskCounts> tasks = {task(7, 1, "cat", 2), task(8, 2, "cat", 3), task(9, 3, "a\x01\xff", 4),
                                           task(7, 9, "cat", 5)};
    std::map<std::string, double> each, by_command;
    for (const Metric &metric : task_metrics(tasks, topology, false))
        each[metric.name] = metric.value;
    for (const Metric &metric : task_metrics(tasks, plain, true))
        by_command[metric.name] = metric.value;
    CHECK(each.at("task.cat:8.wakeups") == 3);
    CHECK(each.at("task.cat:7.wakeups") == 7);
    CHECK(by_command.at("command.cat.wakeups") == 10);
    CHECK(by_command.at("command.cat.missed_idle") == 3);
    CHECK(by_command.at("command.a??.wakeups") == 4);
    CHECK(each.contains("task.cat:8.missed_cluster"));
    CHECK_FALSE(by_command.contains("command.cat.missed_cluster"));
}

TEST_CASE("migrations between CPUs, or between groups where those are many", "[placement]") {
    const auto few = groups_for_moves(plain);
    REQUIRE(few.size() == 3);
    CHECK(few[2].name == "cpu2");
    const std::vector<std::uint64_t> moves = {0, 5, 0, 0, 0, 7, 1, 0, 0};
    std::map<std::string, double> rows;
    for (const Metric &row : move_metrics(few, moves))
        rows[row.name] = row.value;
    CHECK(rows.size() == 6); // a CPU and itself are no pair
    CHECK(rows.at("migrations.cpu0.cpu1") == 5);
    CHECK(rows.at("migrations.cpu1.cpu2") == 7);
    CHECK(rows.at("migrations.cpu2.cpu0") == 1);
    CHECK(rows.at("migrations.cpu2.cpu1") == 0);

    Topology wide; // 64 CPUs, clusters of 4 in LLCs of 32
    for (int cpu = 0; cpu < 64; ++cpu)
        wide.cpus.push_back({cpu, cpu, cpu / 4 * 4, cpu / 32 * 32, 0, 1024});
    const auto clusters = groups_for_moves(wide);
    REQUIRE(clusters.size() == 16);
    CHECK(clusters[1].name == "cluster4");
    CHECK(clusters[1].cpus == std::vector<int>{4, 5, 6, 7});
    for (int cpu = 64; cpu < 128; ++cpu)
        wide.cpus.push_back({cpu, cpu, cpu / 4 * 4, cpu / 32 * 32, 1, 1024});
    CHECK(groups_for_moves(wide).size() == 4);
}

TEST_CASE("CPUs' counts add up", "[placement]") {
    placement_counts counts[2]{};
    counts[0].woken[0] = 1;
    counts[1].woken[0] = 2;
    counts[1].migrations[cause_hotplug][17] = 3;
    counts[0].missed[miss_idle] = 4;
    counts[1].missed[miss_idle] = 5;
    const placement_counts sum = sum_counts(counts);
    CHECK(sum.woken[0] == 3);
    CHECK(sum.migrations[cause_hotplug][17] == 3);
    CHECK(sum.missed[miss_idle] == 9);
}
