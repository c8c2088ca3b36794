// SPDX-License-Identifier: GPL-2.0-or-later
// Threads that compute until the time is over. Each notes when it finds itself on another CPU; one that waits for a
// CPU finds out when it runs again, so a place is known to within a time slice.
#include "loads/hogs.h"

#include <algorithm>
#include <chrono>
#include <fmt/format.h>
#include <map>
#include <sched.h>
#include <set>

#include "core/spread.h"
#include "loads/affinity.h"
#include "loads/clock.h"
#include "loads/crew.h"
#include "loads/limits.h"
#include "loads/work.h"
#include "sys/topology_reader.h"

namespace schedlab {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::int64_t step_us = 20;   // work between two looks at the CPU
constexpr std::size_t most_told = 64; // tasks that have metrics of their own

struct Hog {
    std::vector<Stay> stays;
    int cpu = -1; // its last one
    std::uint64_t moves = 0;
    std::int64_t cpu_ns = 0;
};

// The core of each CPU that is present: one that is offline now is not allowed now, and a hog may find itself there later.
std::map<int, int> cores_here() {
    std::map<int, int> cores;
    for (const CpuPlace &place : read_topology().cpus)
        cores[place.cpu] = place.core;
    return cores;
}

std::size_t count_of(const std::map<int, int> &cores, const CpuSet &allowed) {
    std::set<int> distinct;
    for (const int cpu : allowed)
        distinct.insert(cores.at(cpu));
    return distinct.size();
}

// Begins where the crew has put it, and may then go to `next`.
void toil(Hog &hog, const CpuSet &next, const std::map<int, int> &cores, CrewTask &self) {
    self.start();
    confine_to(next);
    const std::int64_t before = clock_ns(CLOCK_THREAD_CPUTIME_ID);
    std::uint64_t steps = 0;
    for (; self.going(); ++steps) {
        if (const int cpu = ::sched_getcpu(); cpu != hog.cpu) {
            hog.moves += hog.cpu >= 0;
            hog.cpu = cpu;
            hog.stays.push_back({monotonic_ns(), cores.at(cpu)});
        }
        work(step_us);
    }
    hog.cpu_ns = clock_ns(CLOCK_THREAD_CPUTIME_ID) - before;
    self.finish(steps);
}

// Shares of time are sound wherever the scheduler's clock is: all CPUs of an emulated machine have the same one.
std::vector<Metric> metrics_of(const std::vector<Hog> &hogs, const Spread &spread, std::int64_t started_ns,
                               std::int64_t elapsed_ns) {
    std::vector<double> shares;
    for (const Hog &hog : hogs)
        shares.push_back(double(hog.cpu_ns) / double(elapsed_ns));
    std::vector<Metric> metrics = {
        {"fairness", "1", MetricClass::placement, Direction::higher_is_better, MetricKind::share, fairness(shares)},
        {"shared.share", "1", MetricClass::placement, Direction::lower_is_better, MetricKind::share,
         double(spread.shared_ns) / double(elapsed_ns)},
        {"spread_ms", "ms", MetricClass::time, Direction::lower_is_better, MetricKind::value,
         double(spread.settled_ns - started_ns) / 1e6}};
    for (std::size_t i = 0; i < std::min(hogs.size(), most_told); ++i) {
        metrics.push_back({fmt::format("share.task{}", i), "1", MetricClass::placement, Direction::neutral,
                           MetricKind::share, shares[i]});
        metrics.push_back({fmt::format("cpu.task{}", i), "1", MetricClass::placement, Direction::neutral,
                           MetricKind::count, double(hogs[i].cpu)});
        metrics.push_back({fmt::format("moves.task{}", i), "1", MetricClass::placement, Direction::neutral,
                           MetricKind::count, double(hogs[i].moves)});
    }
    return metrics;
}

void check(const Json &json) {
    const std::uint64_t tasks = json.at("tasks");
    check_tasks("hogs", tasks);
    check_memory("hogs", tasks * bytes_per_thread);
}

LoadResult run(const Json &json, std::uint64_t, const LoadHooks &hooks) {
    const CpuSet allowed = cpus_allowed(), first = cpus_here(json.at("begin-on"), "begin-on");
    const CpuSet next = first.empty() ? CpuSet{} : allowed;
    const std::map<int, int> cores = cores_here();
    const std::int64_t tasks = json.at("tasks");
    std::vector<Hog> hogs(std::size_t(tasks > 0 ? tasks : std::int64_t(allowed.size())));
    calibrate_work();
    Crew crew("hogs", true);
    for (Hog &hog : hogs) {
        hog.stays.reserve(1024);
        crew.add([&hog, &next, &cores](CrewTask &self) { toil(hog, next, cores, self); }, first);
    }
    std::int64_t started = 0;
    const LoadHooks noting{[&] { hooks.begin(), started = monotonic_ns(); }, hooks.end};
    const std::chrono::milliseconds duration(json.at("duration").get<std::int64_t>());
    const Crew::Outcome outcome = crew.run(noting, duration);

    std::vector<std::vector<Stay>> stays;
    for (const Hog &hog : hogs)
        stays.push_back(hog.stays);
    const Spread spread = spread_of(stays, count_of(cores, allowed), started, started + outcome.elapsed_ns);
    return {outcome.operations, outcome.elapsed_ns, metrics_of(hogs, spread, started, outcome.elapsed_ns)};
}

} // namespace

Load hogs_load() {
    return {"hogs",
            "CPU-bound threads: each one's share, fairness, and how soon they are spread over the cores",
            {{"tasks", 'n', OptionType::integer, 0, 1, 4096, "threads; 0: one per CPU"},
             {"duration", 'd', OptionType::integer, 500, 1, 3'600'000, "ms that they compute"},
             {"begin-on", 0, OptionType::place, "", 0, 0, "CPUs on which all begin, free to leave; default: all"}},
            check,
            run,
            {"shared.share", "fairness"}};
}

} // namespace schedlab
