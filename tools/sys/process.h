// SPDX-License-Identifier: GPL-2.0-or-later
// Child processes that never outlive us: each runs in a process group of its own, is killed when its
// handle goes away or this process dies, and is told apart by how it ended.
#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <sys/types.h>
#include <vector>

#include "sys/fd.h"

namespace schedlab {

struct Command {
    std::vector<std::string> argv;              // argv[0] is looked up in PATH
    std::map<std::string, std::string> env{};   // added to (or, with an empty value, removed from) ours
    std::filesystem::path cwd{};                // empty = ours
    std::string input{};                        // written to its stdin; empty = /dev/null
    std::optional<std::filesystem::path> log{}; // stdout and stderr appended here instead of being captured
    bool inherit_terminal = false;              // stdin, stdout, stderr are ours (an interactive shell)
    std::vector<std::pair<int, int>> pass_fds{};// {ours, number in the child (below 64)}
    std::optional<std::chrono::milliseconds> timeout{}; // then the whole group is killed
    bool quiet_nice = false;                    // run at nice 10 (long builds)
};

struct Finished {
    int status = 0;         // exit status, or 128 + signal
    bool timed_out = false;
    std::string out, err;   // captured; empty with `log` or `inherit_terminal`
    bool ok() const { return status == 0 && !timed_out; }
};

// A running child. The destructor kills its group (SIGTERM, then SIGKILL after 2 s) and reaps it; what a child
// leaves behind in its group when it ends by itself is killed too.
class Child {
public:
    explicit Child(const Command &command); // throws an environment error when argv[0] is missing or exec fails
    Child(Child &&) noexcept;
    Child &operator=(Child &&) = delete;
    ~Child();

    pid_t pid() const { return pid_; }
    std::optional<int> poll();               // status if it ended
    int wait();                              // blocks; throws the interrupted error after SIGINT/SIGTERM
    std::optional<int> wait_for(std::chrono::milliseconds limit); // nullopt = still running
    void kill_group();
    // For a caller with a poll(2) of its own: readable once the child ended (-1 where the kernel has no such
    // descriptor), and how many ms to poll at most so as not to miss its end.
    int ended_fd() const { return ended_.get(); }
    int poll_slice(std::chrono::milliseconds left) const;

private:
    void reap();

    pid_t pid_ = -1;
    Fd ended_; // pidfd
    std::optional<int> status_;
};

// Runs to the end and captures. Throws only if it cannot be started or we are interrupted.
Finished run(const Command &command);
// Runs and throws an environment error ("CMD failed (status N): last line of stderr") unless it exits 0.
std::string run_checked(const Command &command, const std::string &remedy = {});
// Full path of a program in PATH, if it is there.
std::optional<std::filesystem::path> find_program(const std::string &name);

} // namespace schedlab
