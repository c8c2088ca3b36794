// SPDX-License-Identifier: GPL-2.0-or-later
#include "sys/interrupt.h"

#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <unistd.h>

#include "core/error.h"

namespace schedlab {

namespace {

volatile std::sig_atomic_t caught = 0;
int wake_pipe[2] = {-1, -1};

// Stays readable for ever after: every poll on it returns at once.
void on_signal(int) {
    const int saved = errno;
    caught = 1;
    [[maybe_unused]] const ssize_t n = ::write(wake_pipe[1], "x", 1);
    errno = saved;
}

} // namespace

void install_interrupt_handlers() {
    if (wake_pipe[0] < 0 && ::pipe2(wake_pipe, O_CLOEXEC | O_NONBLOCK) != 0)
        throw environment_error("cannot make a pipe: " + errno_text(errno));
    struct sigaction action = {};
    action.sa_handler = on_signal; // no SA_RESTART: a blocking call returns EINTR
    sigemptyset(&action.sa_mask);
    ::sigaction(SIGINT, &action, nullptr);
    ::sigaction(SIGTERM, &action, nullptr);
    ::sigaction(SIGHUP, &action, nullptr);
    action.sa_handler = SIG_IGN;
    ::sigaction(SIGPIPE, &action, nullptr);
    action.sa_handler = SIG_DFL; // our parent may have ignored it, and then no child can be waited for
    ::sigaction(SIGCHLD, &action, nullptr);
}

bool interrupted() { return caught != 0; }

int interrupt_fd() { return wake_pipe[0]; }

void throw_if_interrupted() {
    if (interrupted())
        throw Error(Exit::interrupted, "interrupted");
}

} // namespace schedlab
