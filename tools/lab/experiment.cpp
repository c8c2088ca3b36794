// SPDX-License-Identifier: GPL-2.0-or-later
#include "lab/experiment.h"

#include <algorithm>
#include <fmt/format.h>

#include "lab/compare_runs.h"
#include "sys/files.h"

namespace schedlab {

namespace {

ArmRuns runs_of(Side side, std::span<const Cell> plan, std::span<const RunResult> results, Store &store) {
    std::vector<StoredRun> runs;
    for (std::size_t i = 0; i < plan.size(); ++i)
        if (plan[i].side == side)
            runs.push_back(results[i].run);
    return arm_of(std::string(to_string(side)), std::move(runs), &store);
}

std::vector<Record> records_of(const ArmRuns &arm) {
    std::vector<Record> records;
    for (const StoredRun &run : arm.runs)
        records.push_back(run.record);
    return records;
}

CompareRules rules_for(const Experiment &experiment, std::span<const Cell> plan, std::span<const RunResult> results,
                       Store &store) {
    CompareRules rules;
    rules.primary.assign(experiment.load->primary.begin(), experiment.load->primary.end());
    if (experiment.noise_floor)
        rules.noise = noise_floor(records_of(runs_of(Side::a, plan, results, store)),
                                  records_of(runs_of(Side::a_again, plan, results, store)));
    return rules;
}

std::vector<Cell> plan_of(const Experiment &experiment, const Arms &arms, const World &world) {
    PlanRequest request;
    request.machine = &experiment.machine;
    request.arms = &arms;
    request.load = experiment.load->name;
    request.options = experiment.options;
    request.probes = experiment.probes;
    request.seeds = experiment.seeds;
    request.order_seed = experiment.order_seed;
    request.noise_floor = experiment.noise_floor;
    request.apparatus = world.apparatus;
    return make_plan(request);
}

std::vector<RunResult> run(const Experiment &experiment, std::span<const Cell> plan, const World &world,
                           Store &store) {
    Laboratory laboratory;
    laboratory.machine = &experiment.machine;
    laboratory.store = &store;
    laboratory.boot = world.boot;
    laboratory.now = world.now;
    laboratory.on_progress = world.on_progress;
    laboratory.workers = experiment.workers;
    laboratory.fresh = experiment.fresh;
    return run_plan(plan, laboratory);
}

} // namespace

ComparisonReport conduct(const Experiment &experiment, const World &world, Store &store) {
    Arms arms = build_arms(experiment.arms, world.build);
    for (Arm *arm : {&arms.a, &arms.b})
        if (!arm->kernel.config.empty())
            arm->environment["configuration"] = store.keep_text(read_file(arm->kernel.config));
    const std::vector<Cell> plan = plan_of(experiment, arms, world);
    const std::vector<RunResult> results = run(experiment, plan, world, store);
    ComparisonReport report = compare_runs(runs_of(Side::a, plan, results, store), runs_of(Side::b, plan, results, store),
                                           rules_for(experiment, plan, results, store));
    report.a.title = arms.a.title;
    report.b.title = arms.b.title;
    report.warnings.insert(report.warnings.begin(), arms.warnings.begin(), arms.warnings.end());
    const auto reused = std::ranges::count(results, true, &RunResult::reused);
    report.kept_in = fmt::format("{}: {} runs, {} of them reused", store.path().string(), results.size(), reused);
    return report;
}

} // namespace schedlab
