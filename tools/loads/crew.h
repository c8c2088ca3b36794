// SPDX-License-Identifier: GPL-2.0-or-later
// A load's tasks, threads or processes, behind one start.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <sys/types.h>
#include <thread>
#include <vector>

#include "core/cpulist.h"
#include "loads/load.h"
#include "sys/fd.h"
#include "sys/shared_memory.h"

namespace schedlab {

struct CrewState;

// The crew as one of its tasks sees it. A worker makes itself ready (warm-up included), calls start(), does what is
// counted, calls finish() and returns. A server answers until its peer closes, and calls none of these.
class CrewTask {
public:
    void start();                          // blocks until all workers are here
    bool going() const;                    // false once the time is over; look after each operation
    void finish(std::uint64_t operations); // blocks until all workers are here

private:
    friend class Crew;
    CrewTask(CrewState &state, int bell, int start_gate, int end_gate)
        : state_(&state), bell_(bell), start_gate_(start_gate), end_gate_(end_gate) {}
    void pass(int gate);

    CrewState *state_;
    int bell_, start_gate_, end_gate_;
};

class Crew {
public:
    // `load` is named in errors.
    Crew(std::string load, bool threaded);
    // Ends what is left: processes are killed; threads have their system calls fail with EINTR, and must return.
    ~Crew();
    Crew(const Crew &) = delete;
    Crew &operator=(const Crew &) = delete;

    // Adds a task that runs `body(CrewTask &)` from now on, confined to `cpus` unless that is empty. The body is
    // moved into the task: what it owns is closed here, and there when it ends. What it throws ends the load.
    template <class Body> void add(Body body, const CpuSet &cpus = {}) {
        expect_worker();
        launch(std::move(body), cpus, workers_);
    }
    template <class Body> void add_server(Body body, const CpuSet &cpus = {}) {
        launch(std::move(body), cpus, servers_);
    }

    struct Outcome {
        std::uint64_t operations; // of all workers
        std::int64_t elapsed_ns;  // from the start to the last finish()
    };
    // Lets the workers go when all have called start(), and waits until all have called finish(); after `duration`
    // they see going() turn false. The hooks are called while every task exists and none but servers can run.
    // Returns when the workers have ended. Throws a run error if a task failed, ended early or was killed.
    Outcome run(const LoadHooks &hooks, std::optional<std::chrono::nanoseconds> duration = {});

private:
    struct Thread {
        std::atomic<bool> ended = false;
        std::thread thread;
    };
    struct Tasks {
        std::vector<pid_t> processes;
        std::vector<std::unique_ptr<Thread>> threads;
    };

    template <class Body> void launch(Body body, const CpuSet &cpus, Tasks &tasks) {
        if (threaded_) {
            Thread &task = *tasks.threads.emplace_back(std::make_unique<Thread>());
            start_thread(task, [this, &task, cpus, body = std::move(body)]() mutable {
                {
                    Body mine = std::move(body); // closed before `ended` says so
                    perform(cpus, [&mine](CrewTask &self) { mine(self); });
                }
                task.ended = true;
            });
        } else if (fork_task(tasks)) {
            perform(cpus, [&body](CrewTask &self) { body(self); });
            ::_exit(0);
        }
    }
    template <class Run> void start_thread(Thread &task, Run run) {
        try {
            task.thread = std::thread(std::move(run));
        } catch (const std::system_error &e) {
            cannot_start(e.code().value());
        }
    }
    [[noreturn]] void cannot_start(int err) const;
    void expect_worker();
    bool fork_task(Tasks &tasks); // true in the child
    void perform(const CpuSet &cpus, const std::function<void(CrewTask &)> &body);

    void wait_until(const std::atomic<int> &none_left, std::optional<std::int64_t> deadline_ns);
    void throw_if_failed();
    void watch_processes(Tasks &tasks);
    static void join(Tasks &tasks);
    static void end(Tasks &tasks);

    std::string load_;
    bool threaded_;
    SharedArray<CrewState> state_;
    Fd bell_, start_gate_, end_gate_; // eventfds: rung for us; opened for all
    Tasks workers_, servers_;
};

} // namespace schedlab
