// SPDX-License-Identifier: GPL-2.0-or-later
// A group is `fds` receivers, each with a pipe or socket of its own, and as many senders. In each loop a sender
// writes one message to every receiver of its group. One operation is a message that has been received.
#include "loads/messaging.h"

#include <algorithm>
#include <fmt/format.h>
#include <memory>

#include "core/error.h"
#include "loads/affinity.h"
#include "loads/crew.h"
#include "loads/limits.h"
#include "loads/rates.h"
#include "loads/socket.h"

namespace schedlab {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view name = "messaging";

struct Options {
    std::int64_t fds, groups, loops, warmup;
    std::size_t datasize;
    bool pipes, threaded;

    explicit Options(const Json &json)
        : fds(json.at("fds")), groups(json.at("groups")), loops(json.at("loops")), warmup(json.at("warmup")),
          datasize(json.at("datasize")), pipes(json.at("pipe")), threaded(json.at("threaded")) {
        if (groups == 0)
            groups = std::max<std::int64_t>(1, std::int64_t(cpus_allowed().size()) / (2 * fds));
    }
    std::uint64_t tasks() const { return std::uint64_t(2 * fds * groups); }
    std::uint64_t messages() const { return std::uint64_t(groups * fds * fds * loops); }
};

using Ends = std::vector<Fd>;

SocketPair channel(const Options &options) {
    if (!options.pipes)
        return unix_pair();
    Pipe pipe = make_pipe();
    return {std::move(pipe.write), std::move(pipe.read)};
}

void send(const Ends &receivers, std::int64_t loops, std::span<const char> message) {
    for (std::int64_t i = 0; i < loops; ++i)
        for (const Fd &receiver : receivers)
            write_all(receiver.get(), message);
}

void receive(const Fd &in, std::int64_t messages, std::span<char> message) {
    for (std::int64_t i = 0; i < messages; ++i)
        if (!read_all(in.get(), message))
            throw run_error("a sender ended early");
}

void add_group(Crew &crew, const Options &options) {
    const auto receivers = std::make_shared<Ends>(); // the senders' ends; threads share them
    for (std::int64_t i = 0; i < options.fds; ++i) {
        SocketPair pair = channel(options);
        receivers->push_back(std::move(pair.client));
        crew.add([&options, in = std::move(pair.server)](CrewTask &self) {
            std::vector<char> message(options.datasize);
            receive(in, options.fds * options.warmup, message);
            self.start();
            receive(in, options.fds * options.loops, message);
            self.finish(std::uint64_t(options.fds * options.loops));
        });
    }
    for (std::int64_t i = 0; i < options.fds; ++i)
        crew.add([&options, receivers](CrewTask &self) {
            const std::vector<char> message(options.datasize);
            send(*receivers, options.warmup, message);
            self.start();
            send(*receivers, options.loops, message);
            self.finish(0);
        });
}

void check(const Json &json) {
    const Options options(json);
    const auto all = std::uint64_t(options.groups * options.fds), own = std::uint64_t(options.fds);
    check_tasks(name, options.tasks());
    check_descriptors(name, 2 * (options.threaded ? all : own) + 8); // processes: this group's at a time
    const std::uint64_t per_task = options.threaded ? bytes_per_thread : bytes_per_process;
    check_memory(name, options.tasks() * (per_task + options.datasize));
}

LoadResult run(const Json &json, std::uint64_t, const LoadHooks &hooks) {
    const Options options(json);
    Crew crew(std::string(name), options.threaded);
    for (std::int64_t i = 0; i < options.groups; ++i)
        add_group(crew, options);
    const Crew::Outcome outcome = crew.run(hooks);

    const double seconds = double(outcome.elapsed_ns) / 1e9, messages = double(outcome.operations);
    return {outcome.operations,
            outcome.elapsed_ns,
            {ops_per_sec(messages, seconds),
             usec_per_op(messages, seconds),
             {"seconds", "s", MetricClass::time, Direction::lower_is_better, MetricKind::value, seconds}}};
}

} // namespace

Load messaging_load() {
    return {name,
            "groups of senders and receivers over sockets or pipes (hackbench)",
            {{"groups", 'g', OptionType::integer, 10, 0, 10000, "groups; 0: as many as make a task per CPU"},
             {"fds", 'f', OptionType::integer, 20, 1, 1000, "senders, and as many receivers, in a group"},
             {"loops", 'l', OptionType::integer, 100, 1, 1'000'000'000, "counted messages of a sender per receiver"},
             {"datasize", 's', OptionType::integer, 100, 1, 1 << 20, "bytes of a message"},
             {"pipe", 'p', OptionType::flag, false, 0, 0, "pipes, not unix sockets"},
             {"threaded", 'T', OptionType::flag, false, 0, 0, "threads of one process, not processes"},
             {"warmup", 0, OptionType::integer, 1, 0, 1'000'000'000, "loops before counting begins"}},
            check,
            run,
            {"migrations", "ops_per_sec"},
            {{"one-per-cpu", "a task per CPU, pairs over pipes", {"-g", "0", "-f", "1", "-p", "-T", "-l", "1000"}},
             {"jacobsville", "the same on 24 CPUs", {"-g", "12", "-f", "1", "-p", "-T", "-l", "1000"}}}};
}

} // namespace schedlab
