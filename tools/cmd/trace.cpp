// SPDX-License-Identifier: GPL-2.0-or-later
// schedlab trace -- CMD: a command and all that it starts → its placement ledger.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cmd/command.h"
#include "cmd/event_output.h"
#include "cmd/record_output.h"
#include "core/error.h"
#include "core/option.h"
#include "probes/probe.h"
#include "sys/process.h"
#include "sys/topology_reader.h"

namespace schedlab {
namespace {

const std::vector<Option> options = {
    {"probe", 0, OptionType::text, "placement", 0, 0, "NAME[:VIEW][,NAME]; 'schedlab bench --help' lists the probes"},
    {"events", 0, OptionType::text, "", 0, 0, events_help},
    {"perfetto", 0, OptionType::text, "", 0, 0, perfetto_help},
    {"json", 0, OptionType::text, "", 0, 0, "write the record to this file; '-' = to stdout, after the command's output"},
};

int help() {
    std::fputs(("usage: schedlab trace [OPTIONS] -- COMMAND [ARGUMENTS]\n\n"
                "Runs a command and prints where its tasks, and all that they create, were placed while it ran. "
                "Needs root.\nThe exit code is the command's.\n\nOptions:\n" +
                option_help(options))
                   .c_str(),
               stdout);
    return 0;
}

struct Ending {
    int status = 0;
    bool interrupted = false;
};

// The command keeps the terminal. Interrupted, it is ended, and what was counted so far still stands.
Ending run_to_end(const std::vector<std::string> &argv) {
    try {
        return {Child({.argv = argv, .inherit_terminal = true}).wait()};
    } catch (const Error &e) {
        if (e.code() != Exit::interrupted)
            throw;
        return {int(Exit::interrupted), true};
    }
}

} // namespace

int cmd_trace(const Args &args) {
    const auto dashes = std::ranges::find(args, "--");
    const std::vector<std::string> own(args.begin(), dashes);
    if (std::ranges::any_of(own, [](const std::string &arg) { return arg == "--help" || arg == "-h"; }))
        return help();
    const nlohmann::ordered_json chosen = parse_options(options, own, "trace");
    const EventOutput events{chosen.at("events"), chosen.at("perfetto")};
    const std::vector<std::string> names = parse_probes(chosen.at("probe"));
    const std::string json = chosen.at("json");
    events.check(names);
    if (dashes == args.end() || dashes + 1 == args.end())
        throw usage_error("trace: which command?", "usage: schedlab trace [OPTIONS] -- COMMAND [ARGUMENTS]");
    const std::vector<std::string> argv(dashes + 1, args.end());

    const ProbeSetup setup{.topology = read_topology(), .scope = ProbeScope::descendants};
    std::vector<std::unique_ptr<Probe>> probes;
    for (const std::string &name : names) {
        probes.push_back(make_probe(name, setup));
        probes.back()->attach();
    }
    for (const auto &probe : probes)
        probe->start();
    const auto begun = std::chrono::steady_clock::now();
    const Ending ending = run_to_end(argv);
    const std::chrono::nanoseconds elapsed = std::chrono::steady_clock::now() - begun;
    for (const auto &probe : probes)
        probe->stop();

    Record record;
    record.load = "trace";
    record.options = {{"command", argv}, {"status", ending.status}};
    std::vector<std::string> lines;
    for (const auto &probe : probes) {
        ProbeResult seen = probe->result({.elapsed_ns = elapsed.count()});
        std::ranges::move(seen.metrics, std::back_inserter(record.metrics));
        std::ranges::move(seen.losses, std::back_inserter(record.losses));
        std::ranges::move(seen.events, std::back_inserter(lines));
    }
    events.write(lines);
    if (ending.interrupted)
        record.warnings.push_back("interrupted: counted up to then");
    write_record(record, json, fmt::format("{}: exit code {}", fmt::join(argv, " "), ending.status));
    return ending.status;
}

} // namespace schedlab
