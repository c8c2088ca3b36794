// SPDX-License-Identifier: GPL-2.0-or-later
#include "sys/process.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include "core/error.h"
#include "sys/interrupt.h"

namespace schedlab {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

namespace {

int pidfd_open(pid_t pid) { return int(::syscall(SYS_pidfd_open, pid, 0)); }

Fd open_or_throw(const fs::path &path, int flags) {
    Fd fd(::open(path.c_str(), flags | O_CLOEXEC, 0644));
    if (!fd)
        throw environment_error("cannot open " + path.string() + ": " + errno_text(errno));
    return fd;
}

// What the child's standard streams become. -1 = ours.
struct Streams {
    int in = -1, out = -1, err = -1;
};

std::vector<std::string> environment_with(const std::map<std::string, std::string> &changes) {
    std::vector<std::string> env;
    for (char **entry = environ; *entry; ++entry) {
        const std::string name(*entry, std::strcspn(*entry, "="));
        if (!changes.contains(name))
            env.emplace_back(*entry);
    }
    for (const auto &[name, value] : changes)
        if (!value.empty())
            env.push_back(name + "=" + value);
    return env;
}

std::vector<char *> pointers(std::vector<std::string> &texts) {
    std::vector<char *> result;
    for (std::string &text : texts)
        result.push_back(text.data());
    result.push_back(nullptr);
    return result;
}

// Between fork and exec: async-signal-safe calls only. Returns only on failure, with errno set.
void become(const Command &command, const Streams &streams, const fs::path &program, char *const *argv,
            char *const *env, pid_t parent) {
    if (!command.inherit_terminal)
        ::setpgid(0, 0);
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (::getppid() != parent)
        ::_exit(127); // the parent died before prctl
    for (int signal : {SIGINT, SIGTERM, SIGHUP, SIGPIPE})
        ::signal(signal, SIG_DFL);
    if (command.quiet_nice)
        ::setpriority(PRIO_PROCESS, 0, 10);
    const int wanted[3] = {streams.in, streams.out, streams.err};
    for (int fd = 0; fd < 3; ++fd)
        if (wanted[fd] >= 0 && ::dup2(wanted[fd], fd) < 0)
            return;
    for (const auto &[ours, theirs] : command.pass_fds) {
        if (ours == theirs) {
            if (::fcntl(ours, F_SETFD, 0) < 0)
                return;
        } else if (::dup2(ours, theirs) < 0) {
            return;
        }
    }
    if (!command.cwd.empty() && ::chdir(command.cwd.c_str()) != 0)
        return;
    ::execve(program.c_str(), argv, env);
}

pid_t start(const Command &command, const Streams &streams) {
    if (command.argv.empty())
        throw std::logic_error("a command without a program");
    const auto program = find_program(command.argv[0]);
    if (!program)
        throw environment_error("'" + command.argv[0] + "' is not installed",
                                "'make setup' installs what schedlab needs; 'schedlab doctor' says what is missing");
    std::vector<std::string> args = command.argv;
    std::vector<std::string> env = environment_with(command.env);
    const auto argv = pointers(args), envp = pointers(env);
    Pipe failure = make_pipe(); // closed by a successful exec; carries errno otherwise
    failure.write = Fd(::fcntl(failure.write.get(), F_DUPFD_CLOEXEC, 64)); // out of the way of pass_fds' numbers
    const pid_t parent = ::getpid();
    const pid_t pid = ::fork();
    if (pid < 0)
        throw environment_error("cannot start '" + command.argv[0] + "': " + errno_text(errno));
    if (pid == 0) {
        become(command, streams, *program, argv.data(), envp.data(), parent);
        const int err = errno;
        [[maybe_unused]] const ssize_t n = ::write(failure.write.get(), &err, sizeof err);
        ::_exit(127);
    }
    if (!command.inherit_terminal)
        ::setpgid(pid, pid); // both sides do it: whoever comes first
    failure.write.reset();
    int err = 0;
    ssize_t n;
    while ((n = ::read(failure.read.get(), &err, sizeof err)) < 0 && errno == EINTR)
        ;
    if (n == sizeof err) {
        ::waitpid(pid, nullptr, 0);
        throw environment_error("cannot start '" + program->string() + "': " + errno_text(err));
    }
    return pid;
}

int exit_status(int status) { return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status); }

} // namespace

Child::Child(const Command &command) {
    Streams streams;
    Fd null, log, input;
    if (!command.inherit_terminal) {
        null = open_or_throw("/dev/null", O_RDWR);
        if (command.log)
            log = open_or_throw(*command.log, O_WRONLY | O_CREAT | O_APPEND);
        const int output = log ? log.get() : null.get();
        streams = {null.get(), output, output};
    }
    // Standard streams handed over explicitly win.
    for (const auto &[ours, theirs] : command.pass_fds) {
        if (theirs == 0)
            streams.in = ours;
        if (theirs == 1)
            streams.out = ours;
        if (theirs == 2)
            streams.err = ours;
    }
    pid_ = start(command, streams);
}

Child::Child(Child &&other) noexcept : pid_(std::exchange(other.pid_, -1)), status_(other.status_) {}

Child::~Child() {
    if (pid_ > 0 && !status_)
        kill_group();
}

std::optional<int> Child::poll() {
    int status = 0;
    if (!status_ && ::waitpid(pid_, &status, WNOHANG) == pid_)
        status_ = exit_status(status);
    return status_;
}

std::optional<int> Child::wait_for(milliseconds limit) {
    if (poll())
        return status_;
    const Fd pidfd(pidfd_open(pid_));
    pollfd waits[2] = {{pidfd.get(), POLLIN, 0}, {interrupt_fd(), POLLIN, 0}};
    const auto deadline = Clock::now() + limit;
    for (;;) {
        throw_if_interrupted();
        const auto left = std::chrono::ceil<milliseconds>(deadline - Clock::now()).count();
        // Without pidfd_open (before Linux 5.3) look every 20 ms.
        const int slice = int(std::clamp<long long>(left, 0, pidfd ? 60'000 : 20));
        ::poll(waits, 2, slice);
        if (poll() || left <= 0)
            return status_;
    }
}

int Child::wait() {
    while (!wait_for(milliseconds(3'600'000)))
        ;
    return *status_;
}

void Child::kill_group() {
    const auto signal_group = [this](int signal) {
        if (::kill(-pid_, signal) != 0)
            ::kill(pid_, signal); // shares our group (inherit_terminal)
    };
    signal_group(SIGTERM);
    for (int tries = 0; tries < 200 && !poll(); ++tries)
        ::usleep(10'000);
    signal_group(SIGKILL); // also whatever the child left behind in its group
    int status = 0;
    if (!status_) {
        while (::waitpid(pid_, &status, 0) < 0 && errno == EINTR)
            ;
        status_ = exit_status(status);
    }
}

namespace {

// Feeds `input` and drains both outputs until all are closed, the time is up or we are interrupted.
class Conversation {
public:
    Conversation(Pipe input, Pipe out, Pipe err) : input_(std::move(input)), out_(std::move(out)), err_(std::move(err)) {
        for (int fd : {input_.write.get(), out_.read.get(), err_.read.get()})
            if (fd >= 0)
                ::fcntl(fd, F_SETFL, O_NONBLOCK);
    }

    // False when `deadline` passed first.
    bool hold(std::string_view input, Finished &result, std::optional<Clock::time_point> deadline) {
        if (input.empty())
            input_.write.reset();
        while (input_.write || out_.read || err_.read) {
            throw_if_interrupted();
            int wait_ms = 60'000;
            if (deadline) {
                const auto left = std::chrono::ceil<milliseconds>(*deadline - Clock::now()).count();
                if (left <= 0)
                    return false;
                wait_ms = int(std::min<long long>(left, wait_ms));
            }
            pollfd waits[4] = {{input_.write.get(), POLLOUT, 0},
                               {out_.read.get(), POLLIN, 0},
                               {err_.read.get(), POLLIN, 0},
                               {interrupt_fd(), POLLIN, 0}};
            if (::poll(waits, 4, wait_ms) <= 0)
                continue;
            if (waits[0].revents)
                feed(input);
            if (waits[1].revents)
                drain(out_.read, result.out);
            if (waits[2].revents)
                drain(err_.read, result.err);
        }
        return true;
    }

private:
    void feed(std::string_view &input) {
        const ssize_t n = ::write(input_.write.get(), input.data(), input.size());
        if (n > 0)
            input.remove_prefix(std::size_t(n));
        if (input.empty() || (n < 0 && errno != EAGAIN && errno != EINTR))
            input_.write.reset(); // all said, or the child does not listen
    }

    static void drain(Fd &fd, std::string &into) {
        std::array<char, 16384> block;
        const ssize_t n = ::read(fd.get(), block.data(), block.size());
        if (n > 0)
            into.append(block.data(), std::size_t(n));
        else if (n == 0 || (errno != EAGAIN && errno != EINTR))
            fd.reset();
    }

    Pipe input_, out_, err_;
};

} // namespace

Finished run(const Command &command) {
    Finished result;
    const auto deadline =
        command.timeout ? std::optional(Clock::now() + *command.timeout) : std::optional<Clock::time_point>();
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
    Conversation conversation(std::move(input), std::move(out), std::move(err));
    bool in_time = conversation.hold(command.input, result, deadline);
    while (in_time) {
        const auto left = deadline ? std::chrono::ceil<milliseconds>(*deadline - Clock::now()) : milliseconds(3'600'000);
        if (const auto status = child.wait_for(std::max(left, milliseconds(0)))) {
            result.status = *status;
            return result;
        }
        in_time = !deadline;
    }
    child.kill_group();
    result.timed_out = true;
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

std::optional<fs::path> find_program(const std::string &name) {
    if (name.find('/') != std::string::npos)
        return ::access(name.c_str(), X_OK) == 0 ? std::optional<fs::path>(name) : std::nullopt;
    const char *path = std::getenv("PATH");
    std::string_view dirs = path ? path : "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";
    while (!dirs.empty()) {
        const auto colon = std::min(dirs.find(':'), dirs.size());
        const fs::path candidate = fs::path(dirs.substr(0, colon)) / name;
        if (::access(candidate.c_str(), X_OK) == 0 && !fs::is_directory(candidate))
            return candidate;
        dirs.remove_prefix(std::min(colon + 1, dirs.size()));
    }
    return std::nullopt;
}

} // namespace schedlab
