// SPDX-License-Identifier: GPL-2.0-or-later
#include "lab/experiment.h"

#include <algorithm>
#include <fmt/format.h>

#include "core/sequential.h"
#include "lab/compare_runs.h"
#include "sys/files.h"

namespace schedlab {

namespace {

// Blocks of two boots per arm, as the plan has them; in emulation a boot does not know when it is made.
std::vector<std::size_t> blocks_of(const ArmRuns &arm) {
    if (arm.runs.front().record.emulated)
        return {};
    std::vector<std::size_t> blocks(arm.runs.size() / 2, 2);
    if (arm.runs.size() % 2)
        blocks.push_back(1);
    return blocks;
}

// A comparison under way: boots are added to it, and it is looked at.
class Looks {
public:
    Looks(const Experiment &experiment, const Arms &arms, const World &world, Store &store)
        : experiment_(experiment), arms_(arms), world_(world), store_(store) {}

    // All seeds up to this one are run in both arms.
    void run_up_to(std::uint64_t seeds) {
        const std::vector<Cell> added = plan(seeds);
        std::ranges::move(run(added), std::back_inserter(results_));
        std::ranges::copy(added, std::back_inserter(plan_));
        planned_ = seeds;
    }

    ComparisonReport compare(double level) const {
        const ArmRuns a = runs_of(Side::a), b = runs_of(Side::b);
        CompareRules rules;
        rules.primary.assign(experiment_.load->primary.begin(), experiment_.load->primary.end());
        rules.level = level;
        rules.blocks = blocks_of(a);
        if (experiment_.noise_floor)
            rules.noise = noise_floor(records_of(a), records_of(runs_of(Side::a_again)));
        ComparisonReport report = compare_runs(a, b, rules);
        report.a.title = arms_.a.title;
        report.b.title = arms_.b.title;
        report.warnings.insert(report.warnings.begin(), arms_.warnings.begin(), arms_.warnings.end());
        report.kept_in = fmt::format("{}: {} runs, {} of them reused", store_.path().string(), results_.size(),
                                     std::ranges::count(results_, true, &RunResult::reused));
        return report;
    }

private:
    ArmRuns runs_of(Side side) const {
        std::vector<StoredRun> runs;
        for (std::size_t i = 0; i < plan_.size(); ++i)
            if (plan_[i].side == side)
                runs.push_back(results_[i].run);
        return arm_of(std::string(to_string(side)), std::move(runs), &store_);
    }

    std::vector<Cell> plan(std::uint64_t seeds) const {
        PlanRequest request;
        request.machine = &experiment_.machine;
        request.arms = &arms_;
        request.load = experiment_.load->name;
        request.options = experiment_.options;
        request.probes = experiment_.probes;
        request.seeds = seeds;
        request.planned = planned_;
        request.order_seed = experiment_.order_seed;
        request.noise_floor = experiment_.noise_floor;
        request.apparatus = world_.apparatus;
        return make_plan(request);
    }

    std::vector<RunResult> run(std::span<const Cell> cells) const {
        Laboratory laboratory;
        laboratory.machine = &experiment_.machine;
        laboratory.store = &store_;
        laboratory.boot = world_.boot;
        laboratory.now = world_.now;
        laboratory.on_progress = world_.on_progress;
        laboratory.workers = experiment_.workers;
        laboratory.fresh = experiment_.fresh;
        return run_plan(cells, laboratory);
    }

    const Experiment &experiment_;
    const Arms &arms_;
    const World &world_;
    Store &store_;
    std::vector<Cell> plan_;
    std::vector<RunResult> results_; // of the plan's cells
    std::uint64_t planned_ = 0;
};

ComparisonReport look_until_settled(Looks &looks, std::uint64_t budget) {
    std::uint64_t seeds = first_look;
    for (std::size_t look = 1;; ++look) {
        looks.run_up_to(seeds);
        ComparisonReport report = looks.compare(level_of_look(look));
        report.looks = look;
        if (settled(report.metrics) || boots_after(seeds) > budget)
            return report;
        seeds = boots_after(seeds);
    }
}

} // namespace

ComparisonReport conduct(const Experiment &experiment, const World &world, Store &store) {
    Arms arms = build_arms(experiment.arms, world.build);
    for (Arm *arm : {&arms.a, &arms.b})
        if (!arm->kernel.config.empty())
            arm->environment["configuration"] = store.keep_text(read_file(arm->kernel.config));
    Looks looks(experiment, arms, world, store);
    if (experiment.until_settled)
        return look_until_settled(looks, experiment.seeds);
    looks.run_up_to(experiment.seeds);
    return looks.compare(usual_level);
}

} // namespace schedlab
