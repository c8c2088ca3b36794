// SPDX-License-Identifier: GPL-2.0-or-later
#include "probes/placement_metrics.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <fmt/format.h>
#include <map>
#include <numeric>
#include <string>

#include "core/printable.h"

namespace schedlab {
namespace {

static_assert(placement_steps == 3 * distance_count && distance_llc == int(Distance::llc));

using Steps = std::array<std::int64_t, placement_steps>;

Steps steps_of(const unsigned long long (&counts)[placement_steps]) {
    Steps steps;
    std::copy(std::begin(counts), std::end(counts), steps.begin());
    return steps;
}

Steps operator+(Steps a, const Steps &b) {
    for (int i = 0; i < placement_steps; ++i)
        a[i] += b[i];
    return a;
}

Steps operator-(Steps a, const Steps &b) {
    for (int i = 0; i < placement_steps; ++i)
        a[i] -= b[i];
    return a;
}

std::int64_t total(const Steps &steps) { return std::accumulate(steps.begin(), steps.end(), std::int64_t{0}); }

std::int64_t at_distance(const Steps &steps, int distance) {
    return steps[3 * distance] + steps[3 * distance + 1] + steps[3 * distance + 2];
}

std::int64_t with_capacity(const Steps &steps, placement_capacity capacity) {
    std::int64_t sum = 0;
    for (int i = capacity; i < placement_steps; i += 3)
        sum += steps[i];
    return sum;
}

std::string distance_name(int distance) { return std::string(to_string(Distance(distance))); }

class Ledger {
public:
    void count(const std::string &name, std::int64_t value, Direction direction = Direction::neutral) {
        rows_.push_back({name, "1", MetricClass::placement, direction, MetricKind::count, double(value)});
    }
    void share(const std::string &name, std::int64_t part, std::int64_t whole,
               Direction direction = Direction::neutral) {
        if (whole > 0)
            rows_.push_back({name, "1", MetricClass::placement, direction, MetricKind::share,
                             double(part) / double(whole)});
    }
    std::vector<Metric> take() { return std::move(rows_); }

private:
    std::vector<Metric> rows_;
};

// Where wakeups went, seen from `origin` ("wake.prev").
void add_wakeups(Ledger &ledger, const std::string &origin, const Steps &steps, bool clustered) {
    const std::int64_t wakeups = total(steps);
    std::int64_t within_cluster = 0;
    for (int d = 0; d < distance_count; ++d) {
        const std::int64_t here = at_distance(steps, d);
        ledger.count(origin + "." + distance_name(d), here);
        ledger.share(origin + "." + distance_name(d) + ".share", here, wakeups);
        if (Distance(d) <= Distance::cluster)
            within_cluster += here;
    }
    if (clustered)
        ledger.share(origin + ".within_cluster.share", within_cluster, wakeups, Direction::higher_is_better);
}

void add_migrations(Ledger &ledger, const placement_counts &counts, bool asymmetric) {
    constexpr auto lower = Direction::lower_is_better;
    Steps migrations{};
    for (const auto &steps : counts.migrations)
        migrations = migrations + steps_of(steps);
    const auto by_cause = [&](placement_cause cause) { return total(steps_of(counts.migrations[cause])); };
    const Steps forked = steps_of(counts.forked);

    ledger.count("migrations", total(migrations), lower);
    ledger.count("migrations.wakeup", by_cause(cause_wakeup), lower);
    ledger.count("migrations.exec", by_cause(cause_exec), lower);
    ledger.count("migrations.balance", by_cause(cause_balance), lower);
    ledger.count("migrations.affinity", by_cause(cause_affinity), lower);
    ledger.count("migrations.hotplug", by_cause(cause_hotplug), lower);
    for (int d = int(Distance::smt); d < distance_count; ++d)
        ledger.count("migrations." + distance_name(d), at_distance(migrations, d), lower);
    if (asymmetric) {
        ledger.count("migrations.cap_up", with_capacity(migrations, capacity_up), lower);
        ledger.count("migrations.cap_down", with_capacity(migrations, capacity_down), lower);
    }
    // The kernel does not count a new task's first placement as a migration: nor does the sum above.
    ledger.count("forks", total(forked));
    ledger.count("migrations.fork", total(forked) - at_distance(forked, int(Distance::same)), lower);
}

void add_misses(Ledger &ledger, const placement_counts &counts, bool clustered) {
    constexpr auto lower = Direction::lower_is_better;
    ledger.count("missed.prev", counts.missed[miss_prev], lower);
    if (clustered)
        ledger.count("missed.cluster", counts.missed[miss_cluster], lower);
    ledger.count("missed.idle", counts.missed[miss_idle], lower);
    ledger.count("stacked", counts.missed[miss_stacked], lower);
}

void add(placement_task &sum, const placement_task &task) {
    sum.wakeups += task.wakeups;
    sum.migrations += task.migrations;
    for (int miss = 0; miss < placement_misses; ++miss)
        sum.missed[miss] += task.missed[miss];
}

} // namespace

unsigned char placement_step(const Topology &topology, int from, int to) {
    const int before = topology.find(from)->capacity;
    const int after = topology.find(to)->capacity;
    const placement_capacity capacity = after > before   ? capacity_up
                                        : after < before ? capacity_down
                                                         : capacity_equal;
    return 3 * int(topology.distance(from, to)) + capacity;
}

placement_counts sum_counts(std::span<const placement_counts> counts) {
    placement_counts sum{};
    const auto add = [](auto &to, const auto &from) {
        for (int i = 0; i < placement_steps; ++i)
            to[i] += from[i];
    };
    for (const placement_counts &c : counts) {
        add(sum.woken, c.woken);
        add(sum.left, c.left);
        add(sum.taken, c.taken);
        add(sum.moved, c.moved);
        add(sum.forked, c.forked);
        for (int cause = 0; cause < placement_causes; ++cause)
            add(sum.migrations[cause], c.migrations[cause]);
        for (int miss = 0; miss < placement_misses; ++miss)
            sum.missed[miss] += c.missed[miss];
    }
    return sum;
}

std::string printable(const char (&comm)[16]) {
    return printable(std::string_view(comm, strnlen(comm, sizeof(comm))));
}

bool has_distance(const Topology &topology, Distance distance) {
    for (const CpuPlace &from : topology.cpus)
        for (const CpuPlace &to : topology.cpus)
            if (topology.distance(from.cpu, to.cpu) == distance)
                return true;
    return false;
}

std::vector<Metric> placement_metrics(const placement_counts &counts, const Topology &topology) {
    const bool asymmetric = topology.asymmetric(), clustered = has_distance(topology, Distance::cluster);
    const Steps woken = steps_of(counts.woken);
    const Steps moved = steps_of(counts.moved);
    Steps from_prev = moved;
    from_prev[3 * int(Distance::same)] += total(woken) - total(moved);
    const Steps from_waker = woken - steps_of(counts.left) + steps_of(counts.taken);

    Ledger ledger;
    ledger.count("wakeups", total(woken));
    add_wakeups(ledger, "wake.prev", from_prev, clustered);
    if (asymmetric) {
        ledger.share("wake.prev.cap_up.share", with_capacity(from_prev, capacity_up), total(woken));
        ledger.share("wake.prev.cap_down.share", with_capacity(from_prev, capacity_down), total(woken));
    }
    add_wakeups(ledger, "wake.waker", from_waker, clustered);
    add_misses(ledger, counts, clustered);
    add_migrations(ledger, counts, asymmetric);
    return ledger.take();
}

std::vector<Metric> task_metrics(const std::vector<TaskCounts> &tasks, const Topology &topology, bool by_command) {
    const bool clustered = has_distance(topology, Distance::cluster);
    std::map<std::string, placement_task> rows;
    for (const TaskCounts &task : tasks) {
        const std::string comm = printable(task.counts.comm);
        const std::string name = by_command ? "command." + comm : fmt::format("task.{}:{}", comm, task.key.pid);
        add(rows[name], task.counts);
    }
    Ledger ledger;
    for (const auto &[name, row] : rows) {
        constexpr auto lower = Direction::lower_is_better;
        ledger.count(name + ".wakeups", row.wakeups);
        ledger.count(name + ".migrations", row.migrations, lower);
        ledger.count(name + ".missed_prev", row.missed[miss_prev], lower);
        if (clustered)
            ledger.count(name + ".missed_cluster", row.missed[miss_cluster], lower);
        ledger.count(name + ".missed_idle", row.missed[miss_idle], lower);
        ledger.count(name + ".stacked", row.missed[miss_stacked], lower);
    }
    return ledger.take();
}

std::vector<CpuGroup> groups_for_moves(const Topology &topology) {
    constexpr std::size_t most = 16;
    using Id = int CpuPlace::*;
    std::vector<CpuGroup> groups;
    for (const auto &[level, id] : {std::pair<const char *, Id>("cpu", &CpuPlace::cpu), {"core", &CpuPlace::core},
                                    {"cluster", &CpuPlace::cluster}, {"llc", &CpuPlace::llc}}) {
        std::map<int, std::vector<int>> members;
        for (const CpuPlace &place : topology.cpus)
            members[place.*id].push_back(place.cpu);
        groups.clear();
        for (auto &[first, cpus] : members)
            groups.push_back({fmt::format("{}{}", level, first), std::move(cpus)});
        if (groups.size() <= most)
            break;
    }
    return groups;
}

std::vector<Metric> move_metrics(std::span<const CpuGroup> groups, std::span<const std::uint64_t> moves) {
    Ledger ledger;
    for (std::size_t from = 0; from < groups.size(); ++from)
        for (std::size_t to = 0; to < groups.size(); ++to)
            if (from != to)
                ledger.count("migrations." + groups[from].name + "." + groups[to].name, std::int64_t(moves[from * groups.size() + to]));
    return ledger.take();
}

} // namespace schedlab
