// SPDX-License-Identifier: GPL-2.0-or-later
#include "loads/crew.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fmt/format.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/error.h"
#include "loads/affinity.h"
#include "loads/clock.h"
#include "sys/interrupt.h"

namespace schedlab {

// What all tasks of a crew see. The one who runs the crew counts as a worker who is absent until run() is called,
// and as one who is unfinished, so that neither number reaches zero before all workers are known.
struct CrewState {
    std::atomic<int> absent = 1, unfinished = 1;
    std::atomic<bool> over = false, abandoned = false;
    std::atomic<std::uint64_t> operations = 0;
    std::atomic<std::int64_t> last_finish_ns = 0;
    std::atomic<bool> failing = false, failed = false; // the first failure is the one told
    char failure[240] = {};
};

namespace {

constexpr int kick = SIGUSR2;

struct Abandoned {};

Fd make_event() {
    Fd event(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
    if (!event)
        throw environment_error("cannot make an eventfd: " + errno_text(errno));
    return event;
}

// An eventfd stays readable for ever after, for all who wait.
void open_gate(int gate) {
    const std::uint64_t one = 1;
    [[maybe_unused]] const ssize_t n = ::write(gate, &one, sizeof(one));
}

// Makes a thread's blocking system call return.
void install_kick() {
    struct sigaction action = {};
    action.sa_handler = [](int) {}; // no SA_RESTART
    sigemptyset(&action.sa_mask);
    ::sigaction(kick, &action, nullptr);
}

std::string ending_of(int status) {
    return WIFSIGNALED(status) ? fmt::format("was killed by signal {} ({})", WTERMSIG(status),
                                             ::strsignal(WTERMSIG(status)))
                               : fmt::format("ended early (status {})", WEXITSTATUS(status));
}

} // namespace

void CrewTask::pass(int gate) {
    pollfd wait = {gate, POLLIN, 0};
    while (::poll(&wait, 1, -1) != 1)
        ;
    if (state_->abandoned)
        throw Abandoned();
}

void CrewTask::start() {
    if (--state_->absent == 0)
        open_gate(bell_);
    pass(start_gate_);
}

bool CrewTask::going() const { return !state_->over.load(std::memory_order_relaxed); }

void CrewTask::finish(std::uint64_t operations) {
    const std::int64_t now = monotonic_ns();
    std::int64_t last = state_->last_finish_ns;
    while (last < now && !state_->last_finish_ns.compare_exchange_weak(last, now))
        ;
    state_->operations += operations;
    if (--state_->unfinished == 0)
        open_gate(bell_);
    pass(end_gate_);
}

Crew::Crew(std::string load, bool threaded)
    : load_(std::move(load)), threaded_(threaded), state_(1), bell_(make_event()), start_gate_(make_event()),
      end_gate_(make_event()) {
    if (threaded)
        install_kick();
}

Crew::~Crew() {
    CrewState &state = state_[0];
    state.over = state.abandoned = true;
    open_gate(start_gate_.get());
    open_gate(end_gate_.get());
    end(workers_);
    end(servers_);
}

Crew::Outcome Crew::run(const LoadHooks &hooks, std::optional<std::chrono::nanoseconds> duration) {
    CrewState &state = state_[0];
    --state.absent;
    wait_until(state.absent, {});
    hooks.begin();
    const std::int64_t started = monotonic_ns();
    open_gate(start_gate_.get());
    --state.unfinished;
    wait_until(state.unfinished, duration ? std::optional(started + duration->count()) : std::nullopt);
    hooks.end();
    open_gate(end_gate_.get());
    join(workers_);
    throw_if_failed();
    return {state.operations, state.last_finish_ns - started};
}

void Crew::cannot_start(int err) const {
    throw environment_error(fmt::format("load {}: cannot start a task: {}", load_, errno_text(err)),
                            "fewer tasks, or a higher limit: ulimit -u, a cgroup's pids.max, memory");
}

void Crew::expect_worker() {
    ++state_[0].absent;
    ++state_[0].unfinished;
}

bool Crew::fork_task(Tasks &tasks) {
    const pid_t parent = ::getpid(), pid = ::fork();
    if (pid < 0)
        cannot_start(errno);
    if (pid > 0) {
        tasks.processes.push_back(pid);
        return false;
    }
    for (const int signal : {SIGINT, SIGTERM, SIGHUP}) // the crew decides when it is over
        ::signal(signal, SIG_IGN);
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (::getppid() != parent)
        ::_exit(1);
    return true;
}

void Crew::perform(const CpuSet &cpus, const std::function<void(CrewTask &)> &body) {
    CrewState &state = state_[0];
    std::string failure;
    try {
        confine_to(cpus);
        CrewTask self(state, bell_.get(), start_gate_.get(), end_gate_.get());
        body(self);
        return;
    } catch (const Abandoned &) {
        return;
    } catch (const std::exception &e) {
        failure = e.what();
    }
    if (state.abandoned || state.failing.exchange(true))
        return;
    failure.copy(state.failure, sizeof(state.failure) - 1);
    state.failed = true;
    open_gate(bell_.get());
}

// The bell is rung when a count reaches zero and when a task fails. A process that was killed rings nothing: it is
// found at the next look, once a second.
void Crew::wait_until(const std::atomic<int> &none_left, std::optional<std::int64_t> deadline_ns) {
    constexpr std::int64_t look_every_ns = 1'000'000'000;
    CrewState &state = state_[0];
    while (none_left > 0) {
        std::int64_t patience = look_every_ns;
        if (deadline_ns && !state.over)
            patience = std::clamp<std::int64_t>(*deadline_ns - monotonic_ns(), 0, look_every_ns);
        const timespec limit = {patience / look_every_ns, patience % look_every_ns};
        pollfd waits[] = {{bell_.get(), POLLIN, 0}, {interrupt_fd(), POLLIN, 0}};
        const int ready = ::ppoll(waits, 2, &limit, nullptr);
        throw_if_interrupted();
        throw_if_failed();
        if (ready > 0 && waits[0].revents) {
            std::uint64_t rung;
            [[maybe_unused]] const ssize_t n = ::read(bell_.get(), &rung, sizeof(rung));
        }
        if (deadline_ns && monotonic_ns() >= *deadline_ns)
            state.over = true;
        if (ready == 0) {
            watch_processes(workers_);
            watch_processes(servers_);
        }
    }
    throw_if_failed();
}

void Crew::throw_if_failed() {
    if (state_[0].failed)
        throw run_error(fmt::format("load {}: {}", load_, state_[0].failure));
}

void Crew::watch_processes(Tasks &tasks) {
    for (pid_t &pid : tasks.processes) {
        int status = 0;
        if (::waitpid(pid, &status, WNOHANG) != pid)
            continue;
        std::swap(pid, tasks.processes.back());
        tasks.processes.pop_back();
        throw_if_failed();
        throw run_error(fmt::format("load {}: a task {}", load_, ending_of(status)));
    }
}

void Crew::join(Tasks &tasks) {
    for (const pid_t pid : tasks.processes)
        while (::waitpid(pid, nullptr, 0) < 0 && errno == EINTR)
            ;
    for (const auto &task : tasks.threads)
        if (task->thread.joinable())
            task->thread.join();
    tasks.processes.clear();
    tasks.threads.clear();
}

void Crew::end(Tasks &tasks) {
    for (const pid_t pid : tasks.processes)
        ::kill(pid, SIGKILL);
    // A kick that comes just before the system call is lost, hence again and again.
    for (const auto &task : tasks.threads)
        while (task->thread.joinable() && !task->ended) {
            ::pthread_kill(task->thread.native_handle(), kick);
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
        }
    join(tasks);
}

} // namespace schedlab
