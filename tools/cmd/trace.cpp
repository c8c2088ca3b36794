// SPDX-License-Identifier: GPL-2.0-or-later
// schedlab trace -- CMD: a command and all that it starts → its placement ledger.
#include <algorithm>
#include <cstdio>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cmd/command.h"
#include "cmd/record_output.h"
#include "core/error.h"
#include "core/option.h"
#include "probes/probe.h"
#include "sys/process.h"
#include "sys/topology_reader.h"

namespace schedlab {
namespace {

const std::vector<Option> options = {
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
    const std::string json = parse_options(options, own, "trace").at("json");
    if (dashes == args.end() || dashes + 1 == args.end())
        throw usage_error("trace: which command?", "usage: schedlab trace [--json FILE] -- COMMAND [ARGUMENTS]");
    const std::vector<std::string> argv(dashes + 1, args.end());

    const auto probe = find_probe("placement").make(read_topology(), ProbeScope::descendants);
    probe->attach();
    probe->start();
    const Ending ending = run_to_end(argv);
    probe->stop();

    ProbeResult seen = probe->result();
    Record record;
    record.load = "trace";
    record.options = {{"command", argv}, {"status", ending.status}};
    record.metrics = std::move(seen.metrics);
    record.losses = std::move(seen.losses);
    if (ending.interrupted)
        record.warnings.push_back("interrupted: counted up to then");
    write_record(record, json, fmt::format("{}: exit code {}", fmt::join(argv, " "), ending.status));
    return ending.status;
}

} // namespace schedlab
