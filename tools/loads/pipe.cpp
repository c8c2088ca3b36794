// SPDX-License-Identifier: GPL-2.0-or-later
// The calling task is side A; side B is a child process, or a thread. One operation is a round trip: A writes and
// waits, B reads and answers. A itself makes the hooks' calls, so no wakeup but the load's own falls between them.
#include "loads/pipe.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <memory>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

#include "core/error.h"
#include "loads/affinity.h"
#include "loads/clock.h"
#include "loads/rates.h"
#include "sys/fd.h"
#include "sys/interrupt.h"

namespace schedlab {
namespace {

using Json = nlohmann::ordered_json;

using Token = int; // as large as perf's

struct Side {
    Fd in, out;
    CpuSet cpus; // empty: wherever the scheduler likes
};

struct Options {
    std::int64_t loops, warmup;
    bool threaded;
    CpuSet cpus_a, cpus_b;

    explicit Options(const Json &json)
        : loops(json.at("loops")), warmup(json.at("warmup")), threaded(json.at("threaded")),
          cpus_a(cpus_here(json.at("cpu-a"), "cpu-a")), cpus_b(cpus_here(json.at("cpu-b"), "cpu-b")) {}
};

// Not write() and read(): beside threads, the C library's are points of cancellation, at about 1 % of a round trip.
bool pass(int out) {
    const Token token = 0;
    return ::syscall(SYS_write, out, &token, sizeof(token)) == sizeof(token);
}

bool take(int in) {
    Token token;
    return ::syscall(SYS_read, in, &token, sizeof(token)) == sizeof(token);
}

// Side B: says that it is there, then answers until A closes its end.
void answer(const Side &side) {
    confine_to(side.cpus);
    const int in = side.in.get(), out = side.out.get();
    bool going = pass(out);
    while (going)
        going = take(in) && pass(out);
}

[[noreturn]] void broken() {
    throw_if_interrupted();
    throw run_error("load pipe: the other side ended early");
}

// Side A: `count` round trips. An interrupt that no system call noticed is seen after at most `burst` of them.
void ask(const Side &side, std::int64_t count) {
    constexpr std::int64_t burst = 1024;
    const int in = side.in.get(), out = side.out.get();
    while (count > 0) {
        const std::int64_t now = std::min(count, burst);
        for (std::int64_t i = 0; i < now; ++i)
            if (!pass(out) || !take(in))
                broken();
        throw_if_interrupted();
        count -= now;
    }
}

// Side B's task. Ends when A's pipe is closed; the destructor waits for that.
class Partner {
public:
    Partner(Side &a, Side b, bool threaded) {
        if (threaded)
            thread_ = std::jthread([b = std::move(b)] { answer_or_hang_up(b); });
        else
            fork_off(a, std::move(b));
    }
    ~Partner() {
        while (pid_ > 0 && ::waitpid(pid_, nullptr, 0) < 0 && errno == EINTR)
            ;
    }
    Partner(const Partner &) = delete;
    Partner &operator=(const Partner &) = delete;

private:
    // Returning closes B's ends, which is how A learns of a failure.
    static void answer_or_hang_up(const Side &b) {
        try {
            answer(b);
        } catch (const Error &) {
        }
    }

    void fork_off(Side &a, Side b) {
        const pid_t parent = ::getpid();
        pid_ = ::fork();
        if (pid_ < 0)
            throw environment_error("load pipe: cannot fork: " + errno_text(errno));
        if (pid_ > 0)
            return;
        for (const int signal : {SIGINT, SIGTERM, SIGHUP}) // A decides when it is over
            ::signal(signal, SIG_IGN);
        ::prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (::getppid() == parent) {
            a = {};
            answer_or_hang_up(b);
        }
        ::_exit(0);
    }

    pid_t pid_ = -1;
    std::jthread thread_;
};

void check(const Json &json) {
    const Options options(json); // throws if there are no such CPUs
    make_pipe(), make_pipe();    // throws if there are no descriptors left
}

LoadResult run(const Json &json, std::uint64_t, const LoadHooks &hooks) {
    const Options options(json);
    Pipe to_a = make_pipe(), to_b = make_pipe();
    const SavedAffinity saved;
    confine_to(options.cpus_a);
    // Last declared, first closed: B ends before its Partner is waited for.
    std::unique_ptr<Partner> partner;
    Side a{std::move(to_a.read), std::move(to_b.write), options.cpus_a};
    partner = std::make_unique<Partner>(a, Side{std::move(to_b.read), std::move(to_a.write), options.cpus_b},
                                        options.threaded);
    if (!take(a.in.get()))
        broken();
    ask(a, options.warmup);

    hooks.begin();
    const std::int64_t started = monotonic_ns();
    ask(a, options.loops);
    const std::int64_t elapsed = monotonic_ns() - started;
    hooks.end();

    const double seconds = double(elapsed) / 1e9, operations = double(options.loops);
    return {std::uint64_t(options.loops),
            elapsed,
            {ops_per_sec(operations, seconds), usec_per_op(operations, seconds)}};
}

} // namespace

Load pipe_load() {
    return {"pipe",
            "two tasks pass a token back and forth over two pipes (perf bench sched pipe)",
            {{"loops", 'l', OptionType::integer, 20000, 1, 1'000'000'000, "counted round trips"},
             {"threaded", 'T', OptionType::flag, false, 0, 0, "two threads of one process, not two processes"},
             {"cpu-a", 0, OptionType::place, "", 0, 0, "CPUs of the side that asks; default: all"},
             {"cpu-b", 0, OptionType::place, "", 0, 0, "CPUs of the side that answers; default: all"},
             {"warmup", 0, OptionType::integer, 100, 0, 1'000'000'000, "round trips before counting begins"}},
            check,
            run,
            {"migrations", "ops_per_sec"}};
}

} // namespace schedlab
