// SPDX-License-Identifier: GPL-2.0-or-later
// schedlab machine: the emulated machines there are, and a look at one with a kernel on it.
#include <cstdio>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "boot/boot.h"
#include "cmd/command_line.h"
#include "cmd/event_output.h"
#include "cmd/machine_timing.h"
#include "cmd/record_output.h"
#include "core/captured_model.h"
#include "core/error.h"
#include "kernel/kernel.h"
#include "lab/load_arguments.h"
#include "lab/plan.h"
#include "loads/load.h"
#include "probes/probe.h"
#include "report/progress.h"
#include "sys/capture.h"
#include "sys/files.h"
#include "sys/hwloc_capture.h"

namespace schedlab {

namespace {

using Json = nlohmann::ordered_json;

struct Options {
    std::string machine, kernel, base = "6.12", cpus, load, probes = "placement", time = "instructions",
                root = "/", from;
    std::vector<std::string> load_options, features;
    std::uint64_t seed = 1;
    unsigned limit_s = 0; // wall time of a boot; 0: by the number of CPUs
    EventOutput events;
    bool json = false, quiet = false, shell = false, cost = false;
};

std::string join(const std::vector<std::string> &texts, const char *separator) {
    return fmt::format("{}", fmt::join(texts, separator));
}

Json to_json(const Machine &m) {
    Json domains = Json::array();
    for (const ExpectedDomain &domain : m.domains) {
        Json spans = Json::array();
        for (const ExpectedSpan &span : domain.spans)
            spans.push_back({{"cpus", span.cpus.to_list()}, {"span", span.span.to_list()}});
        domains.push_back({{"names", domain.names},
                           {"spans", spans},
                           {"flags", domain.flags},
                           {"absent_flags", domain.absent_flags}});
    }
    return {{"name", m.name},
            {"summary", m.summary},
            {"arch", m.arch},
            {"cpus", m.cpus},
            {"memory_mib", m.memory_mib},
            {"qemu", m.qemu_args},
            {"cpu_capacity", m.cpu_capacity},
            {"domains", domains}};
}

int list(const Options &o) {
    Json all = Json::array();
    if (!o.json)
        fmt::print("{:<12} {:<7} {:>4}  {}\n", "machine", "arch", "cpus", "what it is");
    for (const Machine &m : all_machines()) {
        if (o.json)
            all.push_back(to_json(m));
        else
            fmt::print("{:<12} {:<7} {:>4}  {}\n", m.name, m.arch, m.cpus, m.summary);
    }
    if (o.json)
        fmt::print("{}\n", all.dump(2));
    return 0;
}

int show(const Options &o) {
    const Machine m = find_machine(o.machine);
    if (o.json) {
        fmt::print("{}\n", to_json(m).dump(2));
        return 0;
    }
    fmt::print("{}: {}\n\n", m.name, m.summary);
    fmt::print("{:<12} {}, {} CPUs, {} MiB\n", "machine", m.arch, m.cpus, m.memory_mib);
    fmt::print("{:<12} {}\n", "QEMU", join(m.qemu_args, " "));
    if (!m.cpu_capacity.empty())
        fmt::print("{:<12} {}\n", "capacities", fmt::join(m.cpu_capacity, " "));
    fmt::print("\nThe domains a kernel must build on it, lowest level first:\n");
    for (const ExpectedDomain &domain : m.domains) {
        std::vector<std::string> spans, flags;
        for (const auto &[cpus, span] : domain.spans)
            spans.push_back(cpus == span ? span.to_list() : fmt::format("{}:{}", cpus.to_list(), span.to_list()));
        for (const auto &flag : domain.flags)
            flags.push_back(join(flag, "|"));
        for (const auto &flag : domain.absent_flags)
            flags.push_back("not " + join(flag, "|"));
        fmt::print("  {:<10} {:<20} {}\n", join(domain.names, "|"), join(spans, " "), join(flags, ", "));
    }
    return 0;
}

// An image is taken as it is; a base is fetched and built if it is not in the cache.
std::filesystem::path kernel_of(const Options &o, const Machine &machine) {
    require_boot(machine);
    KernelSpec spec;
    spec.arch = machine.arch;
    if (o.kernel.empty())
        spec.base = find_base(o.base).name;
    else
        spec.image = o.kernel;
    ProgressLine progress(stderr, o.quiet || o.json);
    const auto report = [&](const std::string &phase, double fraction) { progress.update(phase, fraction); };
    return build_kernel(spec, report).image;
}

BootRequest check_request(const Options &o, const Machine &machine) {
    BootRequest request;
    request.machine = &machine;
    request.kernel = kernel_of(o, machine);
    request.wall_limit = std::chrono::seconds(o.limit_s);
    request.job.action = "check";
    request.job.seed = o.seed;
    return request;
}

// "MC 0-3, PKG 0-7", once for all CPUs that have the same domains.
void print_domains(const std::vector<CpuDomains> &domains) {
    std::vector<std::pair<std::string, std::vector<int>>> groups;
    for (const CpuDomains &cpu : domains) {
        std::string text;
        for (const Domain &level : cpu.levels)
            text += fmt::format("{}{} {}", text.empty() ? "" : ", ", level.name, level.span.to_list());
        if (groups.empty() || groups.back().first != text)
            groups.push_back({text, {}});
        groups.back().second.push_back(cpu.cpu);
    }
    for (const auto &[text, cpus] : groups)
        fmt::print("  cpus {:<8} {}\n", CpuSet(cpus).to_list(), text);
}

int check(const Options &o) {
    const Machine machine = find_machine(o.machine);
    const BootResult result = checked(boot(check_request(o, machine)));
    if (o.json) {
        Json out = {{"machine", machine.name}, {"true", true}, {"wall_seconds", result.wall_seconds}};
        out.update(result.hello);
        out.erase("type");
        fmt::print("{}\n", out.dump(2));
        return 0;
    }
    fmt::print("{}, Linux {}: as described ({:.1f} s)\n", machine.name, result.hello.at("release").get<std::string>(),
               result.wall_seconds);
    print_domains(result.hello.at("domains").get<std::vector<CpuDomains>>());
    return 0;
}

int boot_machine(const Options &o) {
    const Machine machine = find_machine(o.machine);
    BootRequest request = check_request(o, machine);
    if (o.shell) {
        fmt::print(stderr, "{}: 'exit' powers it off, Ctrl-A X stops it at once\n", machine.name);
        return boot_shell(machine, request.kernel);
    }
    request.on_console = [](const std::string &line) {
        fmt::print("{}\n", line);
        std::fflush(stdout);
    };
    checked(boot(request));
    return 0;
}

double instructions_per_operation(BootRequest request, const std::vector<std::string> &probes) {
    request.job.probes = probes;
    const Metric *metric = checked(begin(request)).records.front().find("insn_per_op");
    if (!metric)
        throw usage_error(fmt::format("--cost: load {} counts no operations", request.job.load));
    return metric->value;
}

// What each probe alone adds to an operation, from runs with it and without any.
void add_costs(Record &record, const BootRequest &request) {
    const double bare = instructions_per_operation(request, {});
    for (const std::string &probe : request.job.probes)
        record.metrics.push_back({probe + ".cost_per_op", "insn", MetricClass::path, Direction::lower_is_better,
                                  MetricKind::value, instructions_per_operation(request, {probe}) - bare});
}

// One run, as `ab` makes many: a load under probes → its record.
int run_load(const Options &o) {
    Machine machine = find_machine(o.machine);
    machine.modelled = o.time == "model";
    const Load &load = find_load(o.load);
    BootRequest request = check_request(o, machine);
    request.job.action = "load";
    request.job.load = o.load;
    request.job.options = parse_options(load.options, expand_arguments(load, o.load_options), "load " + o.load);
    request.job.probes = parse_probes(o.probes);
    o.events.check(request.job.probes);
    request.job.start_delay_us = start_delay_us(o.seed);
    for (const std::string &text : o.features)
        request.job.features[text.substr(0, text.size() - 2)] = text.ends_with('1');
    BootResult result = checked(begin(request));
    o.events.write(result.events);
    for (Record &record : result.records) {
        if (o.cost)
            add_costs(record, request);
        write_record(record, o.json ? "-" : "", fmt::format("{} on {}, seed {}", o.load, machine.name, o.seed));
    }
    return 0;
}

int timing(const Options &o) {
    Machine machine = find_machine(o.machine);
    machine.modelled = true;
    const Load &load = find_load("c2c");
    BootRequest request = check_request(o, machine);
    const CpuSet cpus = o.cpus.empty() ? distances_in_short(*machine.timing) : CpuSet::parse_list(o.cpus);
    request.job.action = "load";
    request.job.load = load.name;
    request.job.options = parse_options(load.options, std::vector<std::string>{"--cpus", cpus.to_list()},
                                               "load c2c");
    return report_timing(machine, cpus, checked(boot(request)).records.front(), o.json);
}

int capture(const Options &o) {
    const CapturedMachine captured = o.from.empty() ? capture_machine(o.root) : capture_hwloc(o.from);
    if (captured.domains.empty())
        fmt::print(stderr, "schedlab: the kernel's own domains were not compared with the model's: {}\n",
                   captured.domains_missing);
    fmt::print("{}", model_text(captured));
    return 0;
}

std::string feature_fault(const std::string &text) {
    const bool good = text.size() > 2 && (text.ends_with("=0") || text.ends_with("=1"));
    return good ? "" : "'" + text + "' is not F=0 or F=1";
}

void add_machine(CLI::App *sub, Options &o) {
    sub->add_option("MACHINE", o.machine, "a model's name ('schedlab machine list') or its .conf file")->required();
}

void add_kernel(CLI::App *sub, Options &o) {
    auto *base = sub->add_option("--base", o.base, "kernel base to boot")->capture_default_str();
    sub->add_option("--kernel", o.kernel, "an image to boot instead: Image (arm64) or bzImage (x86_64)")
        ->excludes(base);
    sub->add_option("--seed", o.seed, "of all that is random in the machine")->capture_default_str();
    sub->add_option("--limit", o.limit_s, "seconds of wall time after which the boot has failed; 120, and 5 for each CPU, if not given")
        ->check(CLI::PositiveNumber);
    sub->add_flag("--quiet", o.quiet, "no progress");
}

} // namespace

int cmd_machine(const Args &args) {
    Options o;
    CLI::App app("Emulated machines: what they are, and whether a kernel sees them so.", "schedlab machine");
    app.require_subcommand(1);
    auto *list_command = app.add_subcommand("list", "all models");
    list_command->add_flag("--json", o.json, "as JSON");
    auto *show_command = app.add_subcommand("show", "one model, with the domains a kernel must build on it");
    add_machine(show_command, o);
    show_command->add_flag("--json", o.json, "as JSON");
    auto *check_command = app.add_subcommand("check", "boot a kernel and compare its domains with the model");
    add_machine(check_command, o);
    add_kernel(check_command, o);
    check_command->add_flag("--json", o.json, "what the guest found, as JSON");
    auto *capture_command = app.add_subcommand("capture", "write a model of this machine to standard output");
    auto *root = capture_command->add_option("--root", o.root, "a saved tree with another machine's sys/ and proc/")
        ->capture_default_str()
        ->check(CLI::ExistingDirectory);
    capture_command->add_option("--from", o.from, "a topology that hwloc saved, of another machine: lstopo FILE.xml")
        ->check(CLI::ExistingFile)
        ->excludes(root);
    auto *boot_command = app.add_subcommand("boot", "boot a kernel and show its console");
    add_machine(boot_command, o);
    add_kernel(boot_command, o);
    boot_command->add_flag("--shell", o.shell, "an interactive shell (busybox), in real time");
    auto *run_command = app.add_subcommand("run", "boot a kernel, run a load once and print its record");
    add_machine(run_command, o);
    run_command->add_option("LOAD", o.load, "a load ('schedlab bench --help'); its own options follow")->required();
    add_kernel(run_command, o);
    run_command->add_option("--feature", o.features, "scheduler feature to switch first: F=0 or F=1; repeatable")
        ->allow_extra_args(false)
        ->check(CLI::Validator(feature_fault, "F=0|F=1"));
    run_command->add_option("--probe", o.probes,
                            "probes: NAME[:VIEW][,NAME] ('schedlab bench --help' lists them), or none")
        ->capture_default_str();
    add_time_option(*run_command, o.time);
    run_command->add_option("--events", o.events.text, events_help);
    run_command->add_option("--perfetto", o.events.perfetto, perfetto_help);
    run_command->add_flag("--cost", o.cost, "boot again without probes and with each alone: what it costs");
    run_command->add_flag("--json", o.json, "as JSON");
    run_command->allow_extras();
    auto *timing_command =
        app.add_subcommand("timing", "measure what a line takes from CPU to CPU in modelled time, and compare with the model");
    add_machine(timing_command, o);
    add_kernel(timing_command, o);
    timing_command->add_option("--cpus", o.cpus, "between these CPUs; default: two for each distance");
    timing_command->add_flag("--json", o.json, "as JSON");
    if (!parse_command_line(app, args))
        return 0;
    o.load_options = run_command->remaining();
    if (*run_command)
        return run_load(o);
    if (*timing_command)
        return timing(o);
    if (*list_command)
        return list(o);
    if (*show_command)
        return show(o);
    if (*capture_command)
        return capture(o);
    return *check_command ? check(o) : boot_machine(o);
}

} // namespace schedlab
