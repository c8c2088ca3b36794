// SPDX-License-Identifier: GPL-2.0-or-later
// schedlab bench LOAD: a load on this machine → its record.
#include <algorithm>
#include <cstdio>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cmd/command.h"
#include "cmd/event_output.h"
#include "cmd/record_output.h"
#include "core/error.h"
#include "lab/load_arguments.h"
#include "loads/load.h"
#include "measure/measure.h"
#include "probes/probe.h"
#include "sys/topology_reader.h"

namespace schedlab {
namespace {

using Json = nlohmann::ordered_json;

const std::vector<Option> own_options = {
    {"probe", 0, OptionType::text, "", 0, 0, "measure under these probes, NAME[:VIEW][,NAME], or 'none'; default: "
                                             "once without, for times, and once under placement, for the ledger"},
    {"events", 0, OptionType::text, "", 0, 0, events_help},
    {"perfetto", 0, OptionType::text, "", 0, 0, perfetto_help},
    {"json", 0, OptionType::text, "", 0, 0, "write the record to this file; '-' = to stdout, and nothing else"},
};

std::string preset_help(const Load &load) {
    std::string text;
    for (const Preset &preset : load.presets)
        text += fmt::format("  --preset {:<12} {}: {}\n", preset.name, preset.summary, fmt::join(preset.args, " "));
    return load.presets.empty() ? text : "\nPresets:\n" + text;
}

int help(const Load *load) {
    std::string text = "usage: schedlab bench LOAD [OPTIONS]\n\nRuns a load on this machine and prints its metrics.\n\n";
    for (const Load &l : all_loads())
        text += fmt::format("  {:<10} {}\n", l.name, l.summary);
    text += "\nProbes:\n" + probe_help() + "\nOptions:\n" + option_help(own_options);
    if (load)
        text += fmt::format("\nOptions of {}:\n", load->name) + option_help(load->options) + preset_help(*load);
    else
        text += "\n'schedlab bench LOAD --help' tells a load's options.\n";
    std::fputs(text.c_str(), stdout);
    return 0;
}

bool asks_help(const std::string &arg) { return arg == "--help" || arg == "-h"; }

// " --loops 5 --threaded": what is set, but for a mix's loads, which fill a page.
std::string spelled(const Json &options) {
    std::string text;
    for (const auto &[name, value] : options.items())
        if (value.is_number())
            text += fmt::format(" --{} {}", name, value.dump());
        else if (value == true)
            text += " --" + name;
        else if (value.is_string() && value != "" && name != "job")
            text += fmt::format(" --{} {}", name, value.get<std::string>());
    return text;
}

// Times without a probe; then the ledger from a second run, and what the probe cost there.
Record measure_twice(Job job, const Topology &topology) {
    Record record = measure(job, {topology});
    job.probes = {"placement"};
    try {
        const Record probed = measure(job, {topology});
        for (const Metric &metric : probed.metrics)
            if (metric.cls == MetricClass::placement)
                record.metrics.push_back(metric);
        record.losses = probed.losses;
        const Metric *bare = record.find("usec_per_op"), *slowed = probed.find("usec_per_op");
        if (bare && slowed)
            record.metrics.push_back({"placement.cost_per_op", "us", MetricClass::time, Direction::lower_is_better,
                                      MetricKind::value, slowed->value - bare->value});
    } catch (const Error &e) {
        if (e.code() != Exit::environment)
            throw;
        record.warnings.push_back(std::string("no placement ledger: ") + e.what());
    }
    return record;
}

} // namespace

int cmd_bench(const Args &args) {
    if (args.empty())
        throw usage_error("bench: which load?", "'schedlab bench --help' lists them");
    if (asks_help(args[0]))
        return help(nullptr);
    const Load &load = find_load(args[0]);
    if (std::ranges::any_of(args, asks_help))
        return help(&load);

    std::vector<Option> options = own_options;
    options.insert(options.end(), load.options.begin(), load.options.end());
    Job job;
    job.load = args[0];
    job.options = parse_options(options, expand_arguments(load, {args.begin() + 1, args.end()}), "bench " + job.load);
    const auto take = [&job](const char *name) {
        const std::string value = job.options.at(name);
        job.options.erase(name);
        return value;
    };
    const std::string probes = take("probe"), json = take("json");
    const EventOutput events{take("events"), take("perfetto")};

    const Topology topology = read_topology();
    std::vector<std::string> lines;
    if (!probes.empty())
        job.probes = parse_probes(probes);
    events.check(job.probes);
    const auto keep = [&lines](const std::string &line) { lines.push_back(line); };
    const Record record = probes.empty() ? measure_twice(job, topology) : measure(job, {topology}, keep);
    events.write(lines);
    write_record(record, json, "load " + record.load + spelled(record.options));
    return 0;
}

} // namespace schedlab
