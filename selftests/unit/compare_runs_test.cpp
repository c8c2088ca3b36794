// SPDX-License-Identifier: GPL-2.0-or-later
// Runs that are kept, in the store or in files: compared as when they were made.
#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <cmath>

#include "core/error.h"
#include "lab/compare_runs.h"
#include "lab/imported_runs.h"
#include "lab_bench.h"
#include "store/run_json.h"
#include "thrown.h"

using namespace schedlab;
using test::Bench;
using test::booted;
using test::thrown;
using Catch::Matchers::ContainsSubstring;

TEST_CASE("runs of the store compare as they did when they were made", "[lab]") {
    Bench bench;
    const auto made = comparison_json(bench.toggling("ASYM_PREV").conduct());
    bench.experiment.fresh = true; // a second run of each cell is no boot of its own
    bench.conduct();
    const auto with = [&](bool on) {
        std::vector<StoredRun> runs = bench.store.find({});
        std::erase_if(runs, [&](const StoredRun &run) { return run.identity.at("/job/features/ASYM_PREV"_json_pointer) != on; });
        return runs;
    };
    CompareRules rules;
    rules.primary = primary_metrics(with(true).front().record);
    CHECK(rules.primary == std::vector<std::string>{"migrations", "ops_per_sec"});
    const ComparisonReport kept = compare_runs(arm_of("a", with(false)), arm_of("b", with(true)), rules);
    CHECK(kept.a.runs.size() == 5);
    CHECK(comparison_json(kept) == made);

    CHECK_THAT(thrown([&] { arm_of("a", bench.store.find({})); }).what(), ContainsSubstring("different scheduler features"));
    CHECK_THAT(thrown([&] { arm_of("a", {}); }).what(), ContainsSubstring("no such runs"));
    std::vector<StoredRun> other = with(true);
    for (StoredRun &run : other)
        run.record.load = "rr";
    CHECK_THAT(thrown([&] { compare_runs(arm_of("a", with(false)), arm_of("b", other), rules); }).what(),
               ContainsSubstring("ran pipe and arm b rr"));
}

TEST_CASE("kept runs, exported JSON and text logs of them give the same table", "[lab][import]") {
    Bench bench;
    bench.world.boot = [](const BootRequest &request) {
        BootResult result = booted(request);
        const bool b = request.job.features.at("ASYM_PREV");
        const double rate = (b ? 220000.0 : 210000.0) + 1000 * double(request.job.seed % 3);
        const auto lower = Direction::lower_is_better;
        result.records[0].emulated = false;
        result.records[0].metrics = {
            {"seconds", "s", MetricClass::time, lower, MetricKind::value, 4.5 + double(request.job.seed) / 8},
            {"usec_per_op", "us", MetricClass::time, lower, MetricKind::value, b ? 4.25 : 4.75},
            {"ops_per_sec", "1/s", MetricClass::time, Direction::higher_is_better, MetricKind::value, rate}};
        return result;
    };
    bench.toggling("ASYM_PREV").conduct();
    std::vector<StoredRun> kept[2];
    bench.store.visit({}, [&](const StoredRun &run) {
        kept[run.identity.at("/job/features/ASYM_PREV"_json_pointer) == true].push_back(run);
    });
    CompareRules kept_rules;
    kept_rules.primary = primary_metrics(kept[0].front().record);
    const ComparisonReport made = compare_runs(arm_of("a", kept[0]), arm_of("b", kept[1]), kept_rules);
    CHECK(conclusion(made.metrics) == Verdict::better);

    std::string json[2], logs[2];
    const auto put = [&](int b, const StoredRun &run) {
        json[b] += run_json(run).dump() + "\n";
        const auto value = [&](const char *name) { return run.record.find(name)->value; };
        logs[b] += fmt::format("# Running 'sched/pipe' benchmark:\n# Executed 3000 pipe operations between two processes\n\n"
                               "     Total time: {:.3f} [sec]\n\n{:15.6f} usecs/op\n{:15.0f} ops/sec\n",
                               value("seconds"), value("usec_per_op"), value("ops_per_sec"));
    };
    for (const int arm : {0, 1}) { // a log says nothing of seeds: who keeps logs keeps them in order
        std::ranges::sort(kept[arm], {}, [](const StoredRun &run) { return run.record.seed; });
        for (const StoredRun &run : kept[arm])
            put(arm, run);
    }
    const TempDir dir("lab-import");
    for (const std::string *texts : {json, logs}) {
        for (const int arm : {0, 1})
            write_file_atomically(dir.path() / std::to_string(arm), texts[arm]);
        const auto arm = [&](const std::string &file) { return arm_of(file, numbered({runs_of_file(dir.path() / file, {})})); };
        const ArmRuns a = arm("0"), b = arm("1");
        CompareRules rules;
        rules.primary = primary_metrics(a.runs.front().record);
        const ComparisonReport read = compare_runs(a, b, rules);
        // Sums may differ in the last digit.
        const auto table = [](const ComparisonReport &report) {
            auto metrics = comparison_json(report).at("metrics");
            for (auto &metric : metrics) {
                for (const char *number : {"p", "mean_change", "detectable"})
                    metric[number] = std::round(1e9 * metric.at(number).get<double>());
                for (const char *side : {"a", "b"}) {
                    auto values = metric.at(side).at("values").get<std::vector<double>>();
                    std::ranges::sort(values);
                    metric[side]["values"] = values;
                }
            }
            return metrics;
        };
        CHECK(table(read) == table(made));
    }
}
