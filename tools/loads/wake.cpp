// SPDX-License-Identifier: GPL-2.0-or-later
// As in schbench, a worker queues itself at its message thread and sleeps; the message thread wakes all that are
// queued; a woken worker handles a request: it sleeps for a moment, as if for the network, and works. With a rate
// of requests, the message thread hands requests out in turn instead.
//
// Latencies are schbench's. Wakeup: from when the message thread begins to wake its list until the worker runs; so
// if the first one woken takes the message thread's CPU away, the others' wait counts. Request: from the worker's
// wakeup until its work is done. schbench hands the requests of a second out at once; here they come every 10 ms.
#include "loads/wake.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <iterator>
#include <memory>
#include <sched.h>
#include <sstream>

#include "core/error.h"
#include "core/histogram.h"
#include "loads/affinity.h"
#include "loads/clock.h"
#include "loads/crew.h"
#include "loads/futex.h"
#include "loads/latency.h"
#include "loads/limits.h"
#include "loads/work.h"
#include "sys/files.h"

namespace schedlab {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::int64_t pace_ns = 10'000'000;    // requests are handed out this often,
constexpr std::int64_t adjust_ns = 200'000'000; // and their rate adjusted that often
constexpr std::uint32_t queue_limit = 128;      // requests of a worker that are not handled yet

struct Options {
    std::int64_t messengers, workers, duration_ms, warmup_ms, sleep_us, work_us, rate, busy_percent;
    bool locking;

    explicit Options(const Json &json)
        : messengers(json.at("message-threads")), workers(json.at("worker-threads")),
          duration_ms(json.at("duration")), warmup_ms(json.at("warmup")), sleep_us(json.at("sleep")),
          work_us(json.at("work")), rate(json.at("rps")), busy_percent(json.at("auto-rps")),
          locking(!json.at("no-locking").get<bool>()) {
        if (workers == 0)
            workers = std::max<std::int64_t>(1, std::int64_t(cpus_allowed().size()) / messengers);
        if (busy_percent > 0 && rate == 0)
            rate = 100 * messengers; // somewhere to start
    }
    bool paced() const { return rate > 0; }
};

// A flag that one task sleeps on and others raise.
class Bell {
public:
    void lower() { word_ = 0; }
    void ring() {
        std::uint32_t lowered = 0;
        if (word_.compare_exchange_strong(lowered, 1))
            futex_wake_one(word_);
    }
    void wait() { futex_wait(word_, 0); } // returns when it is rung, and when a signal comes
    bool rung() const { return word_ != 0; }

private:
    FutexWord word_ = 0;
};

struct alignas(64) Worker {
    Bell bell;
    std::atomic<std::int64_t> woken_ns = 0;
    std::atomic<std::uint32_t> requests = 0; // handed out, not begun
    Worker *next = nullptr;                  // in the messenger's list
    Histogram wakeup, request;
};

// The share of time in which this machine's CPUs were not idle since the last look.
class BusyTime {
public:
    BusyTime() { look(); }
    double look() {
        // "cpu  USER NICE SYSTEM IDLE ..."
        std::istringstream line(read_file("/proc/stat").substr(3));
        std::uint64_t all = 0, idle = 0, ticks = 0;
        for (int column = 0; column < 8 && line >> ticks; ++column) {
            all += ticks;
            idle += column == 3 ? ticks : 0;
        }
        const double passed = double(all - all_), slept = double(idle - idle_);
        all_ = all, idle_ = idle;
        return passed > 0 ? 1 - slept / passed : 0;
    }

private:
    std::uint64_t all_ = 0, idle_ = 0;
};

// A request holds the lock of the CPU that it begins on: a worker that is preempted by another one makes it wait.
class CpuLock {
public:
    CpuLock() {
        for (int cpu = ::sched_getcpu(), now;; cpu = now) {
            flag_ = &flags[std::size_t(cpu < 0 ? 0 : cpu) % CPU_SETSIZE].taken;
            while (flag_->test_and_set(std::memory_order_acquire))
                ;
            if ((now = ::sched_getcpu()) == cpu)
                return;
            flag_->clear(std::memory_order_release);
        }
    }
    ~CpuLock() { flag_->clear(std::memory_order_release); }
    CpuLock(const CpuLock &) = delete;
    CpuLock &operator=(const CpuLock &) = delete;

private:
    struct alignas(64) Flag {
        std::atomic_flag taken;
    };
    static inline Flag flags[CPU_SETSIZE];
    std::atomic_flag *flag_;
};

// A message thread and its workers.
class Team {
public:
    explicit Team(const Options &o) : o_(o), workers_(std::size_t(o.workers)) {}

    // Until the last worker has left.
    void lead(CrewTask &self) {
        if (o_.paced())
            hand_out(self);
        else
            answer();
    }

    void handle(Worker &me, CrewTask &self) {
        const Presence presence(*this);
        const std::int64_t warm_ns = monotonic_ns() + o_.warmup_ms * 1'000'000;
        while (monotonic_ns() < warm_ns && self.going())
            handle_some(me, self);
        self.start();
        me.requests = 0;
        me.wakeup = me.request = Histogram();
        while (self.going())
            handle_some(me, self);
        self.finish(me.request.count());
    }

    std::vector<Worker> &workers() { return workers_; }

private:
    // However a worker leaves, the message thread is told.
    class Presence {
    public:
        explicit Presence(Team &team) : team_(team) {}
        ~Presence() {
            --team_.present_;
            team_.bell_.ring();
        }

    private:
        Team &team_;
    };

    void answer() {
        while (present_ > 0) {
            bell_.lower();
            Worker *queued = queue_.exchange(nullptr);
            const std::int64_t now = monotonic_ns();
            while (queued) {
                Worker &worker = *queued;
                queued = worker.next; // it may queue itself again as soon as it is woken
                worker.woken_ns = now;
                worker.bell.ring();
            }
            if (present_ > 0)
                bell_.wait();
        }
    }

    void hand_out(CrewTask &self) {
        double rate = double(o_.rate) / double(o_.messengers), owed = 0;
        BusyTime busy;
        std::size_t turn = 0;
        std::int64_t next = monotonic_ns(), adjust = next + adjust_ns;
        while (present_ > 0) {
            for (owed += rate * pace_ns / 1e9; owed >= 1; --owed)
                hand_to(workers_[turn++ % workers_.size()]);
            if (!self.going()) // nobody is to sleep on
                for (Worker &worker : workers_)
                    worker.bell.ring();
            if (o_.busy_percent > 0 && next >= adjust) {
                rate = std::max(1.0, rate * correction(busy.look()));
                adjust += adjust_ns;
            }
            sleep_until_ns(next += pace_ns);
        }
    }

    // Towards the wanted share of busy time, by a factor of 2 at most, and gently when it is near.
    double correction(double busy) const {
        const double whole = std::clamp(double(o_.busy_percent) / 100 / std::max(busy, 0.01), 0.5, 2.0);
        return whole > 0.8 && whole < 1.2 ? 1 + (whole - 1) / 4 : whole;
    }

    static void hand_to(Worker &worker) {
        if (worker.requests >= queue_limit)
            return;
        ++worker.requests;
        worker.woken_ns = monotonic_ns();
        worker.bell.ring();
    }

    // Waits until there is something to do, and does it.
    void handle_some(Worker &me, const CrewTask &self) {
        me.bell.lower();
        if (o_.paced()) {
            std::uint32_t requests = me.requests.exchange(0);
            if (requests == 0) {
                await_wakeup(me, self);
                requests = me.requests.exchange(0);
            }
            for (; requests > 0 && self.going(); --requests)
                handle_one(me);
        } else {
            me.next = queue_;
            while (!queue_.compare_exchange_weak(me.next, &me))
                ;
            bell_.ring();
            await_wakeup(me, self);
            handle_one(me);
        }
    }

    static void await_wakeup(Worker &me, const CrewTask &self) {
        while (!me.bell.rung() && self.going())
            me.bell.wait();
        if (self.going()) // else it may have been woken just to leave
            me.wakeup.add(std::uint64_t(std::max<std::int64_t>(monotonic_ns() - me.woken_ns, 0)));
    }

    void handle_one(Worker &me) {
        const std::int64_t began = monotonic_ns();
        if (o_.sleep_us > 0)
            sleep_until_ns(began + o_.sleep_us * 1000);
        if (o_.locking) {
            const CpuLock lock;
            work(o_.work_us);
        } else {
            work(o_.work_us);
        }
        me.request.add(std::uint64_t(monotonic_ns() - began));
    }

    const Options &o_;
    std::vector<Worker> workers_;
    Bell bell_;
    std::atomic<Worker *> queue_ = nullptr; // workers that wait for an answer, the latest first
    std::atomic<std::int64_t> present_{std::int64_t(workers_.size())};
};

void check(const Json &json) {
    const Options options(json);
    const auto workers = std::uint64_t(options.messengers * options.workers);
    check_tasks("wake", workers + std::uint64_t(options.messengers));
    check_memory("wake", workers * (bytes_per_thread + sizeof(Worker)));
    if (options.busy_percent > 0 && options.sleep_us + options.work_us == 0)
        throw usage_error("load wake: --auto-rps with requests that do nothing", "set --work");
}

LoadResult run(const Json &json, std::uint64_t, const LoadHooks &hooks) {
    const Options options(json);
    calibrate_work();
    std::vector<std::unique_ptr<Team>> teams;
    Crew crew("wake", true);
    for (std::int64_t i = 0; i < options.messengers; ++i) {
        Team &team = *teams.emplace_back(std::make_unique<Team>(options));
        for (Worker &worker : team.workers())
            crew.add([&team, &worker](CrewTask &self) { team.handle(worker, self); });
        crew.add_server([&team](CrewTask &self) { team.lead(self); });
    }
    const Crew::Outcome outcome = crew.run(hooks, std::chrono::milliseconds(options.duration_ms));

    Histogram wakeup, request;
    for (const auto &team : teams)
        for (const Worker &worker : team->workers()) {
            wakeup.add(worker.wakeup);
            request.add(worker.request);
        }
    if (outcome.operations == 0)
        throw run_error("load wake: no request was done in time", "a longer --duration, or less --work");
    LoadResult result{outcome.operations, outcome.elapsed_ns, latency_metrics("wake_latency_us", wakeup)};
    std::ranges::move(latency_metrics("request_latency_us", request), std::back_inserter(result.metrics));
    result.metrics.push_back({"requests_per_sec", "1/s", MetricClass::time, Direction::higher_is_better,
                              MetricKind::value, double(outcome.operations) * 1e9 / double(outcome.elapsed_ns)});
    return result;
}

} // namespace

Load wake_load() {
    return {"wake",
            "message threads wake workers, which handle requests (schbench): latencies and requests per second",
            {{"message-threads", 'm', OptionType::integer, 1, 1, 1024, "message threads"},
             {"worker-threads", 't', OptionType::integer, 0, 1, 4096, "workers of each; 0: all CPUs have one"},
             {"duration", 'd', OptionType::integer, 1000, 1, 3'600'000, "ms that are counted"},
             {"sleep", 's', OptionType::integer, 100, 0, 10'000'000, "us that a request sleeps first"},
             {"work", 0, OptionType::integer, 500, 0, 10'000'000, "us that a request works"},
             {"rps", 'R', OptionType::integer, 0, 1, 100'000'000, "requests per second; 0: as fast as it goes"},
             {"auto-rps", 'A', OptionType::integer, 0, 1, 100, "find the rate that keeps CPUs this busy, per cent"},
             {"no-locking", 'L', OptionType::flag, false, 0, 0, "requests take no lock of their CPU"},
             {"warmup", 0, OptionType::integer, 100, 0, 3'600'000, "ms before counting begins"}},
            check,
            run,
            {"migrations", "wake_latency_us.p99", "request_latency_us.p99", "requests_per_sec"}};
}

} // namespace schedlab
