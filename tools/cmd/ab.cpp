// SPDX-License-Identifier: GPL-2.0-or-later
// schedlab ab: two arms, one machine, one load → a verdict.
#include <algorithm>
#include <cstdio>
#include <fmt/format.h>
#include <thread>

#include "boot/qemu.h"
#include "cmd/comparison_output.h"
#include "core/error.h"
#include "core/sequential.h"
#include "lab/experiment.h"
#include "lab/load_arguments.h"
#include "probes/probe.h"
#include "report/progress.h"
#include "sys/hash.h"
#include "sys/wall_clock.h"

namespace schedlab {

namespace {

struct Options {
    ArmChoice arms;
    ComparisonOutput output;
    std::string machine, load, db = "schedlab.db", probes = "placement", tag_a, tag_b, time = "instructions";
    std::vector<std::string> load_args;
    std::uint64_t seeds = 5;
    std::size_t budget = 38;
    std::uint64_t order_seed = 1;
    unsigned jobs = std::max(1u, std::thread::hardware_concurrency());
    bool until_settled = false, fresh = false, resume = false, noise_floor = false, quiet = false;
};

constexpr auto summary = "Compares two kernels, or one with a feature off and on, on a machine under a load.\n"
                         "The load's own options ('schedlab bench LOAD --help') may stand beside these.";

// False: help was asked for.
bool parse(const Args &args, Options &o) {
    CLI::App app(summary, "schedlab ab");
    app.allow_extras(); // the load's options
    app.add_option("--machine", o.machine, "the model to run on ('schedlab machine list'), or a .conf file")->required();
    app.add_option("--base", o.arms.base, "kernel base of both sides, with the project's series under --feature");
    app.add_option("--feature", o.arms.features, "scheduler feature: off in a, on in b; F=0: on in a, off in b; repeatable");
    app.add_option("--a", o.arms.a, "first kernel: BASE, BASE+series, an image, or a rev of --tree");
    app.add_option("--b", o.arms.b, "second kernel, likewise");
    app.add_option("--tree", o.arms.tree, "the kernel tree that revs are of; it is left as it is");
    app.add_option("--patches", o.arms.patches, "applied to b (under --feature to both): a directory, files or an mbox");
    app.add_option("--config", o.arms.configs, "configuration fragment for both kernels; repeatable");
    app.add_option("--load", o.load, "the load to run; its own options may follow")->required();
    app.add_option("--probe", o.probes, "probes: NAME[:VIEW][,NAME] ('schedlab bench --help' lists them), or none")
        ->capture_default_str();
    add_time_option(app, o.time);
    auto *seeds = app.add_option("--seeds", o.seeds, "boots per arm, with seeds 1 to N")->capture_default_str()->take_last()
        ->check(CLI::Range(0, 100000));
    app.add_flag("--until-settled", o.until_settled, "add boots until every metric that decides is better, worse or the same")
        ->excludes(seeds);
    app.add_option("--budget", o.budget, "boots per arm that --until-settled may make")->capture_default_str()
        ->check(CLI::Range(first_look, std::size_t(100000)));
    app.add_option("--order-seed", o.order_seed, "seed of the order in which the boots are made")->capture_default_str();
    app.add_flag("--aa", o.noise_floor, "also boot a with other seeds; smaller changes than between these count as noise");
    o.output.add_options(app);
    app.add_option("--db", o.db, "file that keeps the runs")->capture_default_str();
    app.add_option("--tag-a", o.tag_a, "tag the runs of a ('schedlab runs compare', 'gate --baseline')");
    app.add_option("--tag-b", o.tag_b, "tag the runs of b");
    auto *fresh = app.add_flag("--fresh", o.fresh, "run all boots anew");
    app.add_flag("--resume", o.resume, "reuse the boots that are kept (the default)")->excludes(fresh);
    app.add_option("--jobs", o.jobs, "boots at once")->capture_default_str()->check(CLI::Range(1, 1024));
    app.add_flag("--quiet", o.quiet, "no progress");
    if (!parse_command_line(app, args))
        return false;
    o.load_args = app.remaining();
    o.output.check();
    for (const std::string *tag : {&o.tag_a, &o.tag_b})
        if (!tag->empty())
            check_tag(*tag);
    if (o.seeds == 0)
        throw usage_error("--seeds 0: a comparison needs boots", "5 or more per arm; there is no verdict below 4");
    return true;
}

Experiment experiment_of(const Options &o) {
    Experiment experiment;
    experiment.machine = find_machine(o.machine);
    experiment.machine.modelled = o.time == "model";
    experiment.arms = choose_arms(o.arms, experiment.machine.arch);
    experiment.load = &find_load(o.load);
    experiment.options = parse_options(experiment.load->options, expand_arguments(*experiment.load, o.load_args),
                                       "load " + o.load);
    experiment.probes = parse_probes(o.probes);
    experiment.seeds = o.until_settled ? o.budget : o.seeds;
    experiment.until_settled = o.until_settled;
    experiment.order_seed = o.order_seed;
    experiment.noise_floor = o.noise_floor;
    experiment.fresh = o.fresh;
    experiment.workers = o.jobs;
    return experiment;
}

World world_of(const Machine &machine, ProgressLine &progress) {
    require_boot(machine);
    World world;
    world.build = [&progress](const KernelSpec &spec) {
        return build_kernel(spec, [&progress](const std::string &phase, double done) { progress.update(phase, done); });
    };
    world.boot = begin;
    world.now = utc_now;
    world.apparatus = {emulator_version(machine), emulator_arguments(machine),
                       sha256_file(guest_program(machine.arch))};
    world.on_progress = [&progress, name = machine.name](const PlanState &state) {
        progress.update("booting " + name, double(state.done) / double(state.all),
                        fmt::format("{} of {} runs{}", state.done, state.all, state.last.empty() ? "" : ", " + state.last));
    };
    return world;
}

ComparisonReport conduct_with_progress(const Options &o, const Experiment &experiment, Store &store) {
    ProgressLine progress(stderr, o.quiet);
    return conduct(experiment, world_of(experiment.machine, progress), store);
}

} // namespace

int cmd_ab(const Args &args) {
    Options o;
    if (!parse(args, o))
        return 0;
    const Experiment experiment = experiment_of(o);
    Store store(o.db);
    const ComparisonReport report = conduct_with_progress(o, experiment, store);
    if (!o.tag_a.empty())
        store.tag(report.a.runs, o.tag_a);
    if (!o.tag_b.empty())
        store.tag(report.b.runs, o.tag_b);
    return o.output.keep_and_write(report, store, fmt::format("schedlab ab {}", fmt::join(args, " ")));
}

} // namespace schedlab
