// SPDX-License-Identifier: GPL-2.0-or-later
#include "guest/worker.h"

#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <fcntl.h>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <sys/ioctl.h>
#include <thread>
#include <unistd.h>

#include "core/record.h"
#include "guest/seed.h"
#include "guest/stress.h"
#include "measure/measure.h"
#include "sys/files.h"
#include "sys/process.h"
#include "sys/sched_features.h"
#include "sys/topology_reader.h"

namespace schedlab {

using Json = nlohmann::ordered_json;

namespace {

// Runs a guest test, all of it or the tests named in the job's options. Its standard output goes to the host line by
// line, its standard error to the console.
int relay_selftest(const Job &job, Channel &channel) {
    Pipe output = make_pipe();
    Command command{.argv = {job.load},
                    .env = {{"SCHEDLAB_SEED", std::to_string(job.seed)}},
                    .inherit_terminal = true,
                    .pass_fds = {{output.write.get(), 1}}};
    for (const Json &test : job.options.value("tests", Json::array()))
        command.argv.push_back(test);
    Child child(command);
    output.write.reset();
    std::string text;
    const auto say_lines = [&] {
        for (std::size_t end; (end = text.find('\n')) != text.npos; text.erase(0, end + 1))
            channel.say({{"type", "ktap"}, {"line", text.substr(0, end)}});
    };
    char block[4096];
    for (ssize_t n; (n = ::read(output.read.get(), block, sizeof block)) > 0 || (n < 0 && errno == EINTR);) {
        text.append(block, n > 0 ? std::size_t(n) : 0);
        say_lines();
    }
    if (!text.empty()) {
        text += '\n';
        say_lines();
    }
    return child.wait();
}

// A shell with job control on the console: it needs a session and a controlling terminal.
int console_shell() {
    std::string active = read_file("/sys/class/tty/console/active");
    active.erase(active.find_last_not_of(" \n") + 1);
    active.erase(0, active.rfind(' ') + 1); // the last one named is /dev/console
    ::setsid();
    const Fd terminal(::open(("/dev/" + active).c_str(), O_RDWR | O_CLOEXEC));
    if (!terminal || ::ioctl(terminal.get(), TIOCSCTTY, 1) != 0)
        throw environment_error("cannot use /dev/" + active + " as a terminal: " + errno_text(errno));
    run_checked({.argv = {"/bin/busybox", "--install", "-s", "/bin"}});
    Command shell{.argv = {"/bin/sh", "-i"},
                  .env = {{"PATH", "/bin"}, {"HOME", "/tmp"}, {"PS1", "\\w # "}},
                  .cwd = "/tmp",
                  .inherit_terminal = true};
    for (int stream : {0, 1, 2})
        shell.pass_fds.emplace_back(terminal.get(), stream);
    return Child(shell).wait();
}

// Told by whoever started the emulator, on the kernel's command line; it is init's environment, and ours.
double ns_per_instruction() {
    const char *ns = std::getenv("SCHEDLAB_NS_PER_INSTRUCTION");
    return ns ? std::atof(ns) : 0;
}

bool time_is_modelled() {
    const char *time = std::getenv("SCHEDLAB_TIME");
    return time && std::string_view(time) == "modelled";
}

// Where a model's command line has SCHEDLAB_HOTPLUG=LIST, these CPUs go offline and come back in turn, again and
// again, while a load runs.
std::jthread restless_cpus() {
    const char *list = std::getenv("SCHEDLAB_HOTPLUG");
    if (!list)
        return {};
    std::vector<std::string> files;
    for (const int cpu : CpuSet::parse_list(list)) {
        files.push_back(fmt::format("/sys/devices/system/cpu/cpu{}/online", cpu));
        if (::access(files.back().c_str(), W_OK) != 0)
            throw usage_error(fmt::format("SCHEDLAB_HOTPLUG={}: cannot write {}: {}", list, files.back(),
                                          errno_text(errno)));
    }
    return std::jthread([files](std::stop_token over) {
        for (std::size_t turn = 0; !over.stop_requested(); ++turn)
            for (const char *online : {"0", "1"}) {
                const Fd file(::open(files[turn % files.size()].c_str(), O_WRONLY | O_CLOEXEC));
                if (::write(file.get(), online, 1) != 1)
                    break; // busy: the load goes on, with the CPU as it is
                std::this_thread::sleep_for(std::chrono::milliseconds(1));
            }
    });
}

void run_load(const Job &job, const Topology &topology, Channel &channel) {
    const std::jthread hotplug = restless_cpus();
    const Record record = measure(job, {topology, true, time_is_modelled(), ns_per_instruction()}, [&](const std::string &line) {
        channel.say({{"type", "event"}, {"line", line}});
    });
    channel.say({{"type", "record"}, {"record", Json(record)}});
}

} // namespace

void do_job(const Job &job, Channel &channel) {
    if (job.action == "shell") {
        channel.say_end(console_shell());
        return;
    }
    apply_seed(job.seed);
    switch_sched_features(job.features);
    std::this_thread::sleep_for(std::chrono::microseconds(job.start_delay_us));
    int status = 0;
    if (job.action == "load")
        run_load(job, read_topology(), channel);
    else if (job.action == "stress")
        channel.say({{"type", "record"}, {"record", Json(stress(job))}});
    else if (job.action == "selftest")
        status = relay_selftest(job, channel);
    else if (job.action != "check")
        throw usage_error("the guest knows no action '" + job.action + "'");
    channel.say_end(status);
}

} // namespace schedlab
