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

// Descriptors for the child are first duplicated to numbers from here on, so that putting one in its place
// never overwrites another that is still to be placed.
constexpr int lifted_from = 64;

struct Placed {
    Fd fd;
    int number; // in the child
};

int exit_status(int status) { return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status); }

Fd open_or_throw(const fs::path &path, int flags) {
    Fd fd(::open(path.c_str(), flags | O_CLOEXEC, 0644));
    if (!fd)
        throw environment_error("cannot open " + path.string() + ": " + errno_text(errno));
    return fd;
}

Fd lifted(int fd) {
    Fd copy(::fcntl(fd, F_DUPFD_CLOEXEC, lifted_from));
    if (!copy)
        throw environment_error("cannot duplicate descriptor " + std::to_string(fd) + ": " + errno_text(errno));
    return copy;
}

// The later of two descriptors for one number wins, so that passed ones replace standard streams.
std::vector<Placed> descriptors_for(const Command &command) {
    std::vector<Placed> placed;
    if (!command.inherit_terminal) {
        const Fd null = open_or_throw("/dev/null", O_RDWR);
        const Fd log = command.log ? open_or_throw(*command.log, O_WRONLY | O_CREAT | O_APPEND) : Fd();
        const int output = log ? log.get() : null.get();
        placed.push_back({lifted(null.get()), 0});
        placed.push_back({lifted(output), 1});
        placed.push_back({lifted(output), 2});
    }
    for (const auto &[ours, theirs] : command.pass_fds) {
        if (theirs < 0 || theirs >= lifted_from)
            throw std::logic_error("a descriptor for the child beyond its range");
        placed.push_back({lifted(ours), theirs});
    }
    return placed;
}

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
void become(const Command &command, const std::vector<Placed> &placed, const char *program, char *const *argv,
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
    for (const auto &[fd, number] : placed)
        if (::dup2(fd.get(), number) < 0)
            return;
    if (!command.cwd.empty() && ::chdir(command.cwd.c_str()) != 0)
        return;
    ::execve(program, argv, env);
}

pid_t start(const Command &command) {
    if (command.argv.empty())
        throw std::logic_error("a command without a program");
    const auto found = find_program(command.argv[0]);
    if (!found)
        throw environment_error("'" + command.argv[0] + "' is not installed",
                                "'make setup' installs what schedlab needs; "
                                "'schedlab doctor' says what is missing");
    const fs::path program = fs::absolute(*found); // `cwd` does not change what runs
    const std::vector<Placed> placed = descriptors_for(command);
    std::vector<std::string> args = command.argv;
    std::vector<std::string> env = environment_with(command.env);
    const auto argv = pointers(args), envp = pointers(env);
    Pipe failure = make_pipe(); // closed by a successful exec; carries errno otherwise
    failure.write = lifted(failure.write.get());
    const auto cannot_start = [&](int err) {
        const std::string where = command.cwd.empty() ? "" : " in " + command.cwd.string();
        return environment_error("cannot start '" + program.string() + "'" + where + ": " + errno_text(err));
    };
    const pid_t parent = ::getpid();
    const pid_t pid = ::fork();
    if (pid < 0)
        throw cannot_start(errno);
    if (pid == 0) {
        become(command, placed, program.c_str(), argv.data(), envp.data(), parent);
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
        throw cannot_start(err);
    }
    return pid;
}

} // namespace

Child::Child(const Command &command)
    : pid_(start(command)), ended_(int(::syscall(SYS_pidfd_open, pid_, 0))) {}

Child::Child(Child &&other) noexcept
    : pid_(std::exchange(other.pid_, -1)), ended_(std::move(other.ended_)), status_(other.status_) {}

Child::~Child() { kill_group(); }

// It has ended but is not waited for yet: its number, and its group's, are still its own.
void Child::reap() {
    ::kill(-pid_, SIGKILL); // whatever it left behind in its group
    int status = 0;
    while (::waitpid(pid_, &status, 0) < 0 && errno == EINTR)
        ;
    status_ = exit_status(status);
}

std::optional<int> Child::poll() {
    siginfo_t ended = {};
    const bool asked = !status_ && ::waitid(P_PID, id_t(pid_), &ended, WEXITED | WNOHANG | WNOWAIT) == 0;
    if (asked && ended.si_pid == pid_)
        reap();
    return status_;
}

int Child::poll_slice(milliseconds left) const {
    // Without pidfd_open (old kernels, some containers) look every 20 ms.
    return int(std::clamp<long long>(left.count(), 0, ended_ ? 60'000 : 20));
}

std::optional<int> Child::wait_for(milliseconds limit) {
    const auto deadline = Clock::now() + limit;
    while (!poll()) {
        throw_if_interrupted();
        const auto left = std::chrono::ceil<milliseconds>(deadline - Clock::now());
        if (left.count() <= 0)
            break;
        pollfd waits[2] = {{ended_.get(), POLLIN, 0}, {interrupt_fd(), POLLIN, 0}};
        ::poll(waits, 2, poll_slice(left));
    }
    return status_;
}

int Child::wait() {
    while (!wait_for(std::chrono::hours(1)))
        ;
    return *status_;
}

void Child::kill_group() {
    const auto signal_group = [this](int signal) {
        if (::kill(-pid_, signal) != 0)
            ::kill(pid_, signal); // shares our group (inherit_terminal)
    };
    if (pid_ <= 0 || poll())
        return;
    signal_group(SIGTERM);
    const auto deadline = Clock::now() + std::chrono::seconds(2);
    while (!poll() && Clock::now() < deadline) {
        pollfd wait = {ended_.get(), POLLIN, 0};
        ::poll(&wait, 1, 20);
    }
    if (!status_) {
        signal_group(SIGKILL);
        reap();
    }
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
