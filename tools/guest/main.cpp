// SPDX-License-Identifier: GPL-2.0-or-later
// schedlab-guest: init of an emulated machine. It mounts what the job needs, says hello, fetches the job, has it done by
// a process of its own within its time, and powers the machine off. Without a job it waits to be saved: where the machine
// is started again from the saved state, the job is there.
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fmt/format.h>
#include <net/if.h>
#include <nlohmann/json.hpp>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/reboot.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <thread>

#include "core/job.h"
#include "guest/channel.h"
#include "guest/emulator.h"
#include "guest/hello.h"
#include "guest/worker.h"
#include "loads/spawn.h"
#include "sys/fd.h"
#include "sys/process.h"

using namespace schedlab;

namespace {

constexpr const char *worker_flag = "--worker";
constexpr int worker_channel = 3; // the worker's descriptor of the channel

struct Mount {
    const char *type, *where;
    bool needed; // without the others some jobs can be done; those that cannot say what they miss
};

constexpr Mount mounts[] = {
    {"proc", "/proc", true},
    {"sysfs", "/sys", true},
    {"devtmpfs", "/dev", true},
    {"tmpfs", "/tmp", true},
    {"debugfs", "/sys/kernel/debug", false},
    {"tracefs", "/sys/kernel/tracing", false},
    {"cgroup2", "/sys/fs/cgroup", false},
};

void mount_all() {
    for (const Mount &m : mounts) {
        ::mkdir(m.where, 0755);
        if (::mount("none", m.where, m.type, 0, nullptr) != 0 && errno != EBUSY && m.needed)
            throw environment_error(fmt::format("cannot mount {}: {}", m.where, errno_text(errno)),
                                    fmt::format("the kernel needs {}", m.type));
    }
}

// Loads talk over 127.0.0.1, which comes with the interface. A kernel without a network has loads that say so.
void raise_loopback() {
    const Fd socket(::socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0));
    ifreq request{};
    std::strcpy(request.ifr_name, "lo");
    request.ifr_flags = IFF_UP;
    ::ioctl(socket.get(), SIOCSIFFLAGS, &request);
}

// Padded with blanks by the host (boot/boot_dir.cpp), which JSON ignores.
std::optional<Job> fetch_job() {
    const std::string text = fetch_job_text();
    return text.empty() ? std::nullopt : std::optional(nlohmann::ordered_json::parse(text).get<Job>());
}

// The machine is saved while this sleeps. Time that is idle costs the host nothing.
Job wait_for_job() {
    ask_to_be_stopped();
    std::this_thread::sleep_for(std::chrono::seconds(4));
    if (const auto job = fetch_job())
        return *job;
    throw environment_error("the host has put no job in place");
}

// The worker speaks for itself; init speaks where it could not.
void supervise(Channel &channel) {
    auto job = fetch_job();
    if (!job || job->action != "shell")
        say_hello(channel);
    channel.drain();
    if (!job)
        job = wait_for_job();
    Child worker({.argv = {"/proc/self/exe", worker_flag},
                  .inherit_terminal = true,
                  .pass_fds = {{channel.fd(), worker_channel}}});
    const auto status = worker.wait_for(std::chrono::seconds(job->virtual_limit_s));
    if (!status) {
        worker.kill_group();
        channel.say({{"type", "timeout"}, {"seconds", job->virtual_limit_s}});
    } else if (*status > 128) {
        channel.say_error(run_error(fmt::format("the guest's worker was killed by signal {} ({})", *status - 128,
                                                ::strsignal(*status - 128))));
    }
}

int run_worker() {
    Channel channel{Fd(worker_channel)};
    try {
        do_job(fetch_job().value(), channel);
        return 0;
    } catch (const Error &e) {
        channel.say_error(e);
    } catch (const std::exception &e) {
        channel.say_error(run_error(std::string("the guest failed: ") + e.what()));
    }
    return 1;
}

void run_init() {
    try {
        mount_all();
        raise_loopback();
        const char *device = std::getenv("SCHEDLAB_CHANNEL"); // from the kernel's command line
        Channel channel = Channel::open(device ? device : "/dev/console");
        try {
            supervise(channel);
        } catch (const Error &e) {
            channel.say_error(e);
        }
        channel.drain();
    } catch (const std::exception &e) {
        std::fprintf(stderr, "schedlab-guest: %s\n", e.what());
    }
    std::fflush(nullptr);
    ::sync();
    ::reboot(RB_POWER_OFF);
}

} // namespace

int main(int argc, char **argv) {
    if (const auto status = spawned_step(argc, argv))
        return *status;
    if (argc == 2 && std::strcmp(argv[1], worker_flag) == 0)
        return run_worker();
    if (::getpid() != 1) {
        std::fputs("schedlab-guest " SCHEDLAB_VERSION ": runs as init of a machine booted by schedlab\n", stderr);
        return int(Exit::usage);
    }
    run_init();
    return int(Exit::failed); // the machine did not power off; the kernel panics when init leaves
}
