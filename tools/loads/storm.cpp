// SPDX-License-Identifier: GPL-2.0-or-later
// In every round, all wakers sleep until the same instant; then each wakes its part of the sleepers, one after the
// other. So idle CPUs are looked for on several CPUs at once, and two wakers may choose the same one: the window
// that idle-claim is about. An operation is a wakeup.
//
// Emulated CPUs take turns, so such races are rarer there than on hardware (docs/measuring.md).
#include "loads/storm.h"

#include <algorithm>
#include <atomic>
#include <fmt/format.h>
#include <map>
#include <sched.h>
#include <vector>

#include "core/error.h"
#include "core/histogram.h"
#include "loads/clock.h"
#include "loads/crew.h"
#include "loads/futex.h"
#include "loads/latency.h"
#include "loads/limits.h"
#include "loads/work.h"

namespace schedlab {
namespace {

using Json = nlohmann::ordered_json;

struct Options {
    std::int64_t wakers, sleepers, work_us, interval_ns;
    std::uint32_t warmup, rounds;

    explicit Options(const Json &json)
        : wakers(json.at("wakers")), sleepers(json.at("sleepers")), work_us(json.at("work")),
          interval_ns(json.at("interval").get<std::int64_t>() * 1000), warmup(json.at("warmup")),
          rounds(json.at("rounds")) {}
};

struct alignas(64) Sleeper {
    FutexWord round = 0;                // the latest in which it was woken, from 1
    std::atomic<std::int64_t> woken_ns; // when its waker was about to
    std::vector<int> cpus;              // by counted round, where it first ran; missed: it was still awake
    Histogram latency;
    std::uint64_t late = 0;

    static constexpr int missed = -1;

    void wake(std::uint32_t next) {
        woken_ns.store(monotonic_ns(), std::memory_order_relaxed);
        round.store(next, std::memory_order_release);
        futex_wake_one(round);
    }

    // Sleeps until a round after `seen`; false if that had begun already.
    bool sleep(std::uint32_t seen, const CrewTask &self) {
        if (round.load(std::memory_order_acquire) != seen)
            return false;
        while (round.load(std::memory_order_acquire) == seen && self.going())
            futex_wait(round, seen);
        return true;
    }
};

class Storm {
public:
    explicit Storm(const Options &o) : o_(o), sleepers_(std::size_t(o.sleepers)) {
        for (Sleeper &sleeper : sleepers_)
            sleeper.cpus.assign(o.rounds, Sleeper::missed);
        begin_soon();
    }

    // The next rounds are counted from one interval from now on.
    void begin_soon() { first_ns_ = monotonic_ns() + o_.interval_ns; }

    // Wakes each sleeper whose number is `index` modulo the number of wakers.
    void wake(std::size_t index, CrewTask &self) {
        release(index, 1, o_.warmup, self);
        self.start();
        self.finish(release(index, o_.warmup + 1, o_.rounds, self));
    }

    void sleep(std::size_t index, CrewTask &self) {
        Sleeper &sleeper = sleepers_[index];
        std::uint32_t seen = 0;
        while (seen < o_.warmup && self.going())
            seen = live_through_one(sleeper, seen, self);
        self.start();
        while (seen < o_.warmup + o_.rounds && self.going())
            seen = live_through_one(sleeper, seen, self);
        self.finish(0);
    }

    std::vector<Metric> metrics() const {
        Histogram latency;
        std::uint64_t late = 0;
        for (const Sleeper &sleeper : sleepers_) {
            latency.add(sleeper.latency);
            late += sleeper.late;
        }
        std::vector<Metric> metrics = latency_metrics("wake_latency_us", latency);
        metrics.push_back({"collisions", "1", MetricClass::placement, Direction::lower_is_better, MetricKind::count,
                           double(collisions())});
        metrics.push_back({"late", "1", MetricClass::placement, Direction::neutral, MetricKind::count,
                           double(late)});
        return metrics;
    }

private:
    // How many wakeups that were.
    std::uint64_t release(std::size_t index, std::uint32_t from, std::uint32_t rounds, const CrewTask &self) {
        std::uint64_t wakeups = 0;
        for (std::uint32_t i = 0; i < rounds && self.going(); ++i) {
            sleep_until_ns(first_ns_ + i * o_.interval_ns);
            for (std::size_t s = index; s < sleepers_.size(); s += std::size_t(o_.wakers), ++wakeups)
                sleepers_[s].wake(from + i);
        }
        return wakeups;
    }

    std::uint32_t live_through_one(Sleeper &sleeper, std::uint32_t seen, const CrewTask &self) {
        const bool slept = sleeper.sleep(seen, self);
        const std::int64_t now = monotonic_ns(), woken = sleeper.woken_ns.load(std::memory_order_relaxed);
        const std::uint32_t round = sleeper.round.load(std::memory_order_acquire);
        if (round > o_.warmup && slept) {
            sleeper.latency.add(std::uint64_t(std::max<std::int64_t>(now - woken, 0)));
            sleeper.cpus[round - o_.warmup - 1] = ::sched_getcpu();
        } else if (round > o_.warmup) {
            ++sleeper.late;
        }
        work(o_.work_us);
        return round;
    }

    // Sleepers that first ran on a CPU on which another one of the same round did, beyond the first of them.
    std::uint64_t collisions() const {
        std::uint64_t all = 0;
        for (std::uint32_t round = 0; round < o_.rounds; ++round) {
            std::map<int, int> used;
            for (const Sleeper &sleeper : sleepers_)
                if (const int cpu = sleeper.cpus[round]; cpu != Sleeper::missed && used[cpu]++ > 0)
                    ++all;
        }
        return all;
    }

    const Options &o_;
    std::vector<Sleeper> sleepers_;
    std::atomic<std::int64_t> first_ns_;
};

void check(const Json &json) {
    const Options options(json);
    if (options.wakers > options.sleepers)
        throw usage_error(fmt::format("load storm: {} wakers for {} sleepers: some have none to wake",
                                      options.wakers, options.sleepers),
                          "--sleepers must be at least --wakers");
    const auto tasks = std::uint64_t(options.wakers + options.sleepers);
    check_tasks("storm", tasks);
    check_memory("storm", tasks * bytes_per_thread +
                              std::uint64_t(options.sleepers) * (sizeof(Sleeper) + options.rounds * sizeof(int)));
}

LoadResult run(const Json &json, std::uint64_t, const LoadHooks &hooks) {
    const Options options(json);
    calibrate_work();
    Storm storm(options);
    Crew crew("storm", true);
    for (std::size_t i = 0; i < std::size_t(options.sleepers); ++i)
        crew.add([&storm, i](CrewTask &self) { storm.sleep(i, self); });
    for (std::size_t i = 0; i < std::size_t(options.wakers); ++i)
        crew.add([&storm, i](CrewTask &self) { storm.wake(i, self); });
    const LoadHooks beginning{[&] { hooks.begin(), storm.begin_soon(); }, hooks.end};
    const Crew::Outcome outcome = crew.run(beginning);
    return {outcome.operations, outcome.elapsed_ns, storm.metrics()};
}

} // namespace

Load storm_load() {
    return {"storm",
            "wakers release sleepers at one instant: where they collide, and the tail of the latency",
            {{"wakers", 'w', OptionType::integer, 4, 1, 1024, "threads that wake, at the same instant"},
             {"sleepers", 's', OptionType::integer, 8, 1, 4096, "threads that are woken"},
             {"rounds", 'r', OptionType::integer, 200, 1, 1'000'000, "counted instants"},
             {"interval", 'i', OptionType::integer, 4000, 10, 10'000'000, "us from one instant to the next"},
             {"work", 0, OptionType::integer, 50, 0, 1'000'000, "us that a sleeper works once it was woken"},
             {"warmup", 0, OptionType::integer, 10, 0, 1'000'000, "instants before counting begins"}},
            check,
            run,
            {"stacked", "collisions", "wake_latency_us.p99"}};
}

} // namespace schedlab
