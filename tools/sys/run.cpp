// SPDX-License-Identifier: GPL-2.0-or-later
// Commands run to their end, with what they say captured.
#include "sys/process.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cerrno>
#include <fcntl.h>
#include <poll.h>

#include "core/error.h"
#include "sys/interrupt.h"

namespace schedlab {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

namespace {

// Feeds a child's standard input and drains its outputs without ever blocking on one of them.
class Conversation {
public:
    Conversation(Pipe &input, Pipe &out, Pipe &err, std::string_view to_say)
        : input_(std::move(input.write)), out_(std::move(out.read)), err_(std::move(err.read)),
          to_say_(to_say) {
        for (int fd : {input_.get(), out_.get(), err_.get()})
            if (fd >= 0)
                ::fcntl(fd, F_SETFL, O_NONBLOCK);
    }

    // Waits until something can be said or heard, the child has ended, we are interrupted, or `wait_ms` is
    // over.
    void exchange(int ended_fd, int wait_ms, Finished &heard) {
        pollfd waits[5] = {{input_.get(), POLLOUT, 0},
                           {out_.get(), POLLIN, 0},
                           {err_.get(), POLLIN, 0},
                           {ended_fd, POLLIN, 0},
                           {interrupt_fd(), POLLIN, 0}};
        if (::poll(waits, 5, wait_ms) <= 0)
            return;
        if (waits[0].revents)
            say();
        if (waits[1].revents)
            hear(out_, heard.out);
        if (waits[2].revents)
            hear(err_, heard.err);
    }

    // What is left in the pipes after the child has ended. A daemon it left may hold them open: no waiting.
    void finish(Finished &heard) {
        while (hear(out_, heard.out))
            ;
        while (hear(err_, heard.err))
            ;
    }

private:
    void say() {
        const ssize_t n = ::write(input_.get(), to_say_.data(), to_say_.size());
        if (n > 0)
            to_say_.remove_prefix(std::size_t(n));
        if (to_say_.empty() || (n < 0 && errno != EAGAIN && errno != EINTR))
            input_.reset(); // all said, or the child does not listen
    }

    // True if there was something.
    static bool hear(Fd &fd, std::string &into) {
        std::array<char, 16384> block;
        const ssize_t n = fd ? ::read(fd.get(), block.data(), block.size()) : 0;
        if (n > 0)
            into.append(block.data(), std::size_t(n));
        else if (n == 0 || (errno != EAGAIN && errno != EINTR))
            fd.reset();
        return n > 0;
    }

    Fd input_, out_, err_;
    std::string_view to_say_;
};

} // namespace

Finished run(const Command &command) {
    const auto deadline = Clock::now() + command.timeout.value_or(std::chrono::hours(24 * 365));
    Command started = command;
    Pipe input, out, err;
    if (!command.inherit_terminal) {
        if (!command.input.empty()) {
            input = make_pipe();
            started.pass_fds.emplace_back(input.read.get(), 0);
        }
        if (!command.log) {
            out = make_pipe();
            err = make_pipe();
            started.pass_fds.emplace_back(out.write.get(), 1);
            started.pass_fds.emplace_back(err.write.get(), 2);
        }
    }
    Child child(started);
    input.read.reset();
    out.write.reset();
    err.write.reset();
    Conversation conversation(input, out, err, command.input);
    Finished result;
    while (!child.poll()) {
        throw_if_interrupted();
        const auto left = std::chrono::ceil<milliseconds>(deadline - Clock::now());
        if (left.count() <= 0) {
            result.timed_out = true;
            child.kill_group();
            break;
        }
        conversation.exchange(child.ended_fd(), child.poll_slice(left), result);
    }
    conversation.finish(result);
    result.status = *child.poll();
    return result;
}

std::string run_checked(const Command &command, const std::string &remedy) {
    Finished done = run(command);
    if (done.ok())
        return std::move(done.out);
    std::string last = done.err;
    while (!last.empty() && std::isspace(static_cast<unsigned char>(last.back())))
        last.pop_back();
    if (const auto newline = last.rfind('\n'); newline != std::string::npos)
        last.erase(0, newline + 1);
    const std::string how =
        done.timed_out ? "took too long" : "failed (status " + std::to_string(done.status) + ")";
    throw environment_error("'" + command.argv[0] + "' " + how + (last.empty() ? "" : ": " + last), remedy);
}

} // namespace schedlab
