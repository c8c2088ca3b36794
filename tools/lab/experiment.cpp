// SPDX-License-Identifier: GPL-2.0-or-later
#include "lab/experiment.h"

#include <algorithm>
#include <fmt/format.h>
#include <set>

namespace schedlab {

namespace {

struct Runs {
    std::vector<Record> records;             // in the order of their seeds
    const nlohmann::ordered_json *hello = nullptr;
};

Runs runs_of(Side side, std::span<const Cell> plan, std::span<const RunResult> results) {
    Runs runs;
    for (std::size_t i = 0; i < plan.size(); ++i)
        if (plan[i].side == side) {
            runs.records.push_back(results[i].record);
            runs.hello = &results[i].hello;
        }
    std::ranges::sort(runs.records, {}, &Record::seed);
    return runs;
}

CompareRules rules_for(const Load &load, const Runs &a, const Runs &a_again) {
    CompareRules rules;
    rules.primary.assign(load.primary.begin(), load.primary.end());
    if (!a_again.records.empty())
        rules.noise = noise_floor(a.records, a_again.records);
    return rules;
}

std::vector<std::string> warnings_about(const Runs &a, const Runs &b, std::size_t compared) {
    std::vector<std::string> warnings;
    const std::size_t boots = std::min(a.records.size(), b.records.size());
    if (boots < fewest_boots)
        warnings.push_back(fmt::format("{} boots per arm: no verdict below {}", boots, fewest_boots));
    else if (boots < enough_boots)
        warnings.push_back(fmt::format("only {} boots per arm: {} or more are better", boots, enough_boots));
    std::set<std::string> names;
    for (const Runs *runs : {&a, &b})
        for (const Record &record : runs->records) {
            for (const Metric &metric : record.metrics)
                names.insert(metric.name);
            for (const std::string &warning : record.warnings)
                if (std::ranges::find(warnings, warning) == warnings.end())
                    warnings.push_back(warning);
        }
    if (names.size() > compared)
        warnings.push_back(fmt::format("{} metrics are not in every record and are not compared",
                                       names.size() - compared));
    return warnings;
}

std::vector<ReportedLoss> losses_of(const Runs &a, const Runs &b) {
    std::vector<ReportedLoss> losses;
    for (const auto &[name, runs] : {std::pair{"a", &a}, std::pair{"b", &b}})
        for (const Record &record : runs->records)
            for (const Loss &loss : record.losses)
                if (loss.count > 0)
                    losses.push_back({name, record.seed, loss});
    return losses;
}

std::string common_base(const ArmSpecs &arms) {
    return !arms.b || arms.b->base == arms.a.base ? arms.a.base : std::string();
}

ReportedArm reported(const Arm &arm) { return {arm.title, arm.kernel.key, arm.features}; }

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
    const Arms arms = build_arms(experiment.arms, world.build);
    const std::vector<Cell> plan = plan_of(experiment, arms, world);
    const std::vector<RunResult> results = run(experiment, plan, world, store);
    const Runs a = runs_of(Side::a, plan, results), b = runs_of(Side::b, plan, results);
    const Runs a_again = runs_of(Side::a_again, plan, results);

    ComparisonReport report;
    report.machine = experiment.machine.name;
    report.emulated = a.records.front().emulated;
    report.base = common_base(experiment.arms);
    report.a = reported(arms.a);
    report.b = reported(arms.b);
    report.load = experiment.load->name;
    report.options = experiment.options;
    for (const Record &record : a.records)
        report.seeds.push_back(record.seed);
    report.domains = a.hello->at("domains").get<std::vector<CpuDomains>>();
    report.metrics = compare_records(a.records, b.records, rules_for(*experiment.load, a, a_again));
    report.warnings = arms.warnings;
    std::ranges::copy(warnings_about(a, b, report.metrics.size()), std::back_inserter(report.warnings));
    report.losses = losses_of(a, b);
    const auto reused = std::ranges::count(results, true, &RunResult::reused);
    report.kept_in = fmt::format("{}: {} runs, {} of them reused", store.path().string(), results.size(), reused);
    return report;
}

} // namespace schedlab
