// SPDX-License-Identifier: GPL-2.0-or-later
// Runs code in a process of its own, for what a test cannot do to itself: be interrupted, be killed.
#pragma once

#include <csignal>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/error.h"
#include "sys/fd.h"

namespace schedlab::test {

// Forks; the child runs `body` and exits with what it returns, or with the code of the Error it throws.
template <class Body> pid_t forked(Body &&body) {
    const pid_t pid = ::fork();
    if (pid != 0)
        return pid;
    try {
        ::_exit(body());
    } catch (const Error &e) {
        ::_exit(int(e.code()));
    } catch (...) {
        ::_exit(99);
    }
}

// Exit status, or 128 + signal.
inline int status_of(pid_t pid) {
    int status = 0;
    ::waitpid(pid, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

// Waits, at most so long that only a hang can exceed it, until `fd` has something to read or all its writers are
// gone. What was read; empty for the end; "nothing" otherwise.
inline std::string next_of(const Fd &fd) {
    constexpr int patience_ms = 30'000;
    pollfd wait = {fd.get(), POLLIN, 0};
    if (::poll(&wait, 1, patience_ms) != 1)
        return "nothing";
    char text[64];
    const ssize_t n = ::read(fd.get(), text, sizeof text);
    return n < 0 ? "nothing" : std::string(text, std::size_t(n));
}

} // namespace schedlab::test
