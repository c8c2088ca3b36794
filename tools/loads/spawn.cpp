// SPDX-License-Identifier: GPL-2.0-or-later
// A chain: its first process is forked and executes this program anew, which does the same for the next one and
// waits for it, down to the last, which just exits. One operation is a process that came and went.
#include "loads/spawn.h"

#include <atomic>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstring>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

#include "core/error.h"
#include "loads/clock.h"
#include "loads/limits.h"
#include "loads/rates.h"
#include "sys/interrupt.h"

namespace schedlab {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char *step_word = "schedlab-spawn"; // argv[0] of a step

struct Options {
    std::int64_t chains, loops, warmup;
    int depth;
    bool exec;

    explicit Options(const Json &json)
        : chains(json.at("chains")), loops(json.at("loops")), warmup(json.at("warmup")), depth(json.at("depth")),
          exec(!json.at("no-exec").get<bool>()) {}
};

// All steps below and after a fork do without memory and locks: another thread may have held some.
bool start_and_wait(int depth, bool exec);

int do_step(int depth, bool exec) { return depth <= 1 || start_and_wait(depth - 1, exec) ? 0 : 1; }

bool start_and_wait(int depth, bool exec) {
    const pid_t pid = ::fork();
    if (pid == 0 && exec) {
        char word[16] = {};
        std::to_chars(word, word + sizeof(word) - 1, depth);
        char *const argv[] = {const_cast<char *>(step_word), word, nullptr};
        ::execv("/proc/self/exe", argv);
        ::_exit(127);
    }
    if (pid == 0)
        ::_exit(do_step(depth, exec));
    int status = -1;
    while (pid > 0 && ::waitpid(pid, &status, 0) < 0 && errno == EINTR)
        ;
    return pid > 0 && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

// `count` chains in each of the threads; false if a process could not be started or failed.
bool spawn_chains(const Options &o, std::int64_t count) {
    std::atomic<bool> good = true;
    const auto chain = [&] {
        for (std::int64_t i = 0; i < count && good && !interrupted(); ++i)
            if (!start_and_wait(o.depth, o.exec))
                good = false;
    };
    std::vector<std::jthread> others;
    for (std::int64_t i = 1; i < o.chains; ++i)
        others.emplace_back(chain);
    chain();
    others.clear();
    throw_if_interrupted();
    return good;
}

void check(const Json &json) {
    const Options options(json);
    check_tasks("spawn", std::uint64_t(options.chains * options.depth));
    check_memory("spawn", std::uint64_t(options.chains * options.depth) * bytes_per_process);
}

LoadResult run(const Json &json, std::uint64_t, const LoadHooks &hooks) {
    const Options o(json);
    const auto must = [&](std::int64_t count) {
        if (!spawn_chains(o, count))
            throw run_error("load spawn: a process could not be started, or failed",
                            "'ulimit -u' and the cgroup's pids.max say how many processes there may be");
    };
    must(o.warmup);

    hooks.begin();
    const std::int64_t started = monotonic_ns();
    must(o.loops);
    const std::int64_t elapsed = monotonic_ns() - started;
    hooks.end();

    const double operations = double(o.chains * o.loops * o.depth), seconds = double(elapsed) / 1e9;
    return {std::uint64_t(operations),
            elapsed,
            {ops_per_sec(operations, seconds), usec_per_op(operations, seconds)}};
}

} // namespace

std::optional<int> spawned_step(int argc, char **argv) {
    if (argc != 2 || std::strcmp(argv[0], step_word) != 0)
        return std::nullopt;
    int depth = 0;
    std::from_chars(argv[1], argv[1] + std::strlen(argv[1]), depth);
    return do_step(depth, true);
}

Load spawn_load() {
    return {"spawn",
            "chains of processes that fork, exec and exit",
            {{"loops", 'l', OptionType::integer, 100, 1, 1'000'000'000, "counted chains, one after the other"},
             {"chains", 'c', OptionType::integer, 1, 1, 1024, "chains side by side"},
             {"depth", 'd', OptionType::integer, 3, 1, 1000, "processes of a chain, each the parent of the next"},
             {"no-exec", 0, OptionType::flag, false, 0, 0, "fork and exit only"},
             {"warmup", 0, OptionType::integer, 5, 0, 1'000'000'000, "chains before counting begins"}},
            check,
            run,
            {"migrations", "migrations.fork", "ops_per_sec"}};
}

} // namespace schedlab
