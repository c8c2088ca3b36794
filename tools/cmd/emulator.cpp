// SPDX-License-Identifier: GPL-2.0-or-later
// schedlab emulator: QEMU with modelled time (docs/timing.md).
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "boot/boot.h"
#include "cmd/command_line.h"
#include "core/error.h"
#include "emulator/emulator.h"
#include "kernel/toolchain.h"
#include "loads/load.h"
#include "report/progress.h"

namespace schedlab {

namespace {

using Json = nlohmann::ordered_json;

struct Options {
    std::string arch, base = "6.12";
    bool json = false, quiet = false;
};

Json to_json(const Emulator &emulator) {
    return {{"arch", emulator.arch},
            {"version", emulator.version},
            {"program", emulator.program.string()},
            {"key", emulator.key}};
}

int build(const Options &o) {
    const Emulator emulator = [&] {
        ProgressLine line(stderr, o.quiet);
        return build_emulator(o.arch, [&](const std::string &phase, double done) { line.update(phase, done); });
    }();
    if (o.json)
        fmt::print("{}\n", to_json(emulator).dump(2));
    else
        fmt::print("{}\n", emulator.program.string());
    return 0;
}

int list(const Options &o) {
    Json all = Json::array();
    for (const KeptEmulator &kept : list_emulators()) {
        all.push_back(to_json(kept.emulator));
        all.back()["current"] = kept.current;
        if (!o.json)
            fmt::print("{:<7} QEMU {:<24} {}{}\n", kept.emulator.arch, kept.emulator.version,
                       kept.emulator.key.substr(0, 12), kept.current ? "" : " (of other patches)");
    }
    if (o.json)
        fmt::print("{}\n", all.dump(2));
    else if (all.empty())
        fmt::print("none is built: 'schedlab emulator build' builds one\n");
    return 0;
}

// The smallest model of each architecture that says what things take.
Machine small_machine(const std::string &arch) {
    std::optional<Machine> smallest;
    for (Machine &machine : all_machines())
        if (machine.arch == arch && machine.timing && (!smallest || machine.cpus < smallest->cpus))
            smallest = std::move(machine);
    if (!smallest)
        throw environment_error("no machine model of " + arch + " has a [timing] section");
    smallest->modelled = true;
    return *smallest;
}

Record pipe_record(const Machine &machine, const std::filesystem::path &kernel) {
    const Load &load = find_load("pipe");
    BootRequest request;
    request.machine = &machine;
    request.kernel = kernel;
    request.job.load = load.name;
    request.job.options = parse_options(load.options, std::vector<std::string>{"--loops", "500"}, "load pipe");
    return checked(boot(request)).records.front();
}

// A guest boots, with the domains of its model, and does the same twice.
int check(const Options &o) {
    const Machine machine = small_machine(o.arch);
    require_boot(machine);
    const auto [once, again] = [&] {
        ProgressLine line(stderr, o.quiet);
        const KernelSpec spec{.base = o.base, .arch = o.arch};
        const Image kernel =
            build_kernel(spec, [&](const std::string &phase, double done) { line.update(phase, done); });
        line.update("booting " + machine.name + " twice", -1);
        return std::pair(pipe_record(machine, kernel.image), pipe_record(machine, kernel.image));
    }();
    if (Json(once) != Json(again))
        throw run_error(fmt::format("{} in modelled time: two runs of one seed differ", machine.name),
                        "this should not be: please report it with the output of 'schedlab doctor'");
    const Emulator emulator = require_emulator(o.arch);
    const double rate = once.find("ops_per_sec")->value;
    if (o.json)
        fmt::print("{}\n",
                   Json{{"emulator", to_json(emulator)}, {"machine", machine.name}, {"ops_per_sec", rate}}.dump(2));
    else
        fmt::print("QEMU {} for {}: {} boots in modelled time, and two runs are identical "
                   "(pipe, {:.0f} operations per second)\n",
                   emulator.version, o.arch, machine.name, rate);
    return 0;
}

} // namespace

int cmd_emulator(const Args &args) {
    Options o;
    o.arch = "arm64";
    int (*command)(const Options &) = nullptr;
    CLI::App app("QEMU with modelled time, from Debian's source and patches/qemu.", "schedlab emulator");
    app.require_subcommand(1);
    const auto add = [&](const char *name, const char *help, int (*run)(const Options &)) {
        CLI::App *sub = app.add_subcommand(name, help);
        sub->callback([&command, run] { command = run; });
        sub->add_flag("--json", o.json, "print JSON");
        return sub;
    };
    const auto add_arch = [&](CLI::App *sub) {
        sub->add_option("--arch", o.arch, "of the machines: arm64 or x86_64")->capture_default_str();
        sub->add_flag("--quiet", o.quiet, "no progress");
    };
    add_arch(add("build", "Build it, or find it in the cache, and print its path.", build));
    add("list", "Show those in the cache.", list);
    CLI::App *check_command = add("check", "Boot a small machine in modelled time, twice, and compare.", check);
    add_arch(check_command);
    check_command->add_option("--base", o.base, "kernel base to boot")->capture_default_str();
    return parse_command_line(app, args) ? command(o) : 0;
}

} // namespace schedlab
