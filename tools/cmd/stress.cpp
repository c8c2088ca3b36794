// SPDX-License-Identifier: GPL-2.0-or-later
// schedlab stress: a machine that changes under a load, on a kernel that checks itself.
#include <fmt/format.h>

#include "boot/boot.h"
#include "cmd/kernel_choice.h"
#include "core/error.h"
#include "lab/load_arguments.h"
#include "lab/plan.h"
#include "loads/load.h"
#include "sys/places.h"

namespace schedlab {

namespace fs = std::filesystem;

namespace {

struct Options {
    std::string machine, load = "mix";
    KernelChoice kernel;
    std::vector<std::string> configs, load_options, features{"ASYM_PREV", "CLUSTER_WAKEUP", "IDLE_CLAIM", "SMT_SPREAD"};
    std::uint64_t changes = 1000, seed = 1;
    unsigned limit_s = 0;
    bool quiet = false;
};

// False: help was asked for.
bool parse(const Args &args, Options &o) {
    CLI::App app("Takes CPUs offline and back, makes and dissolves cpuset partitions, changes the affinity of tasks, and\n"
                 "switches scheduler features, all drawn from a seed, while a load runs. Whatever the kernel reports meanwhile\n"
                 "(a warning, lockdep, KASAN, KCSAN, a stall), and domains that are not the same afterwards, is a failure.",
                 "schedlab stress");
    app.add_option("--machine", o.machine, "the model to run on ('schedlab machine list'), or a .conf file")->required();
    add_kernel_choice(app, o.kernel);
    app.add_option("--config", o.configs, "options for the kernel, merged over Kconfig.fragment: locks (lockdep, sleeping in atomic "
                                          "context, KASAN), races (KCSAN), or a file; repeatable")
        ->allow_extra_args(false);
    app.add_option("--changes", o.changes, "how often the machine is changed")->capture_default_str()->check(CLI::Range(1, 1000000));
    app.add_option("--feature", o.features, "scheduler feature to switch, if the kernel has it; repeatable")
        ->allow_extra_args(false)
        ->capture_default_str();
    const auto *load = app.add_option("--load", o.load, "load to run; its own options follow. If not given: several at once "
                                                        "(tools/stress/load.conf)");
    app.add_option("--seed", o.seed, "of the machine, the changes and the load")->capture_default_str();
    app.add_option("--limit", o.limit_s, "seconds of wall time after which it has failed; 120, and 1 for each change, if not given")
        ->check(CLI::PositiveNumber);
    app.add_flag("--quiet", o.quiet, "no progress");
    app.allow_extras();
    if (!parse_command_line(app, args))
        return false;
    require_kernel(o.kernel, "stress");
    o.load_options = app.remaining();
    if (load->count() == 0)
        o.load_options.insert(o.load_options.begin(), {"--job", (data_root() / "tools/stress/load.conf").string()});
    return true;
}

// A name is of a file in tools/stress.
fs::path config_file(const std::string &text) {
    const fs::path own = data_root() / "tools/stress" / (text + ".config");
    return text.find('/') == text.npos && fs::exists(own) ? own : fs::path(text);
}

Image kernel_of(const Options &o, const std::string &arch) {
    std::vector<fs::path> configs;
    for (const std::string &text : o.configs)
        configs.push_back(config_file(text));
    ProgressLine progress(stderr, o.quiet);
    return build_choice(o.kernel, arch, configs, progress);
}

std::string in_words(const Record &record) {
    std::string words;
    for (const Metric &metric : record.metrics)
        words += fmt::format("{}{} {}", words.empty() ? "" : ", ", metric.name.substr(metric.name.find('.') + 1), metric.value);
    return words;
}

} // namespace

int cmd_stress(const Args &args) {
    Options o;
    if (!parse(args, o))
        return 0;
    const Machine machine = find_machine(o.machine);
    require_boot(machine);
    const Load &load = find_load(o.load);
    const auto load_options = parse_options(load.options, expand_arguments(load, o.load_options), "load " + o.load);
    const Image kernel = kernel_of(o, machine.arch);

    BootRequest request;
    request.machine = &machine;
    request.kernel = kernel.image;
    request.wall_limit = std::chrono::seconds(o.limit_s ? o.limit_s : 120 + o.changes);
    request.job.action = "stress";
    request.job.load = o.load;
    request.job.options = {{"load", load_options}, {"changes", o.changes}, {"features", o.features}};
    request.job.seed = o.seed;
    request.job.start_delay_us = start_delay_us(o.seed);
    request.job.virtual_limit_s = 60 + o.changes;

    const BootResult result = [&] {
        ProgressLine progress(stderr, o.quiet);
        progress.update(fmt::format("{} changes on {}, {}", o.changes, machine.name, kernel.title), -1);
        return checked(boot(request));
    }();
    fmt::print("{}, {}, seed {}: {} changes, nothing reported, domains as before ({})\n", machine.name, kernel.title, o.seed, o.changes,
               in_words(result.records.at(0)));
    return 0;
}

} // namespace schedlab
