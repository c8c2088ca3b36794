// SPDX-License-Identifier: GPL-2.0-or-later
// Whole comparisons without a kernel or an emulator: building and booting are injected.
#include <algorithm>
#include <atomic>
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <cmath>
#include <set>

#include "core/error.h"
#include "lab/compare_runs.h"
#include "lab/experiment.h"
#include "lab/imported_runs.h"
#include "store/run_json.h"
#include "sys/files.h"
#include "thrown.h"

using namespace schedlab;
using schedlab::test::thrown;
using Catch::Matchers::ContainsSubstring;

namespace {

const Load pipe = {"pipe", "", {}, nullptr, nullptr, {"migrations", "ops_per_sec"}};

Image built(const KernelSpec &spec) {
    const std::string name =
        spec.image.empty() ? spec.base + (spec.with_series ? "+series" : "") : spec.image.string();
    return {"/images/" + name, {}, "key of " + name, {}, name};
}

// A guest in which ASYM_PREV ends migrations, and a kernel named "patched" doubles them.
BootResult booted(const BootRequest &request) {
    const bool calm = request.job.features.contains("ASYM_PREV") && request.job.features.at("ASYM_PREV");
    const double worse = request.kernel.filename() == "patched" ? 2 : 1;
    BootResult result;
    result.end = BootEnd::done;
    result.hello = {{"features", {"ASYM_PREV", "WAKEUP_PREEMPTION"}},
                    {"topology", Topology{{{.cpu = 0}, {.cpu = 1}}}},
                    {"domains", std::vector<CpuDomains>{{0, {{"MC", {"SD_SHARE_LLC"}, CpuSet{0, 1}}}},
                                                        {1, {{"MC", {"SD_SHARE_LLC"}, CpuSet{0, 1}}}}}}};
    Record record;
    record.load = request.job.load;
    record.seed = request.job.seed;
    record.emulated = true;
    record.metrics = {{"migrations", "1", MetricClass::placement, Direction::lower_is_better, MetricKind::count,
                       worse * (calm ? 3.0 : 6000.0) + double(request.job.seed % 997)},
                      {"wakeups", "1", MetricClass::placement, Direction::neutral, MetricKind::count, 6000},
                      {"ops_per_sec", "1/s", MetricClass::time, Direction::higher_is_better, MetricKind::value,
                       1e5 + double(request.job.start_delay_us)}};
    result.records = {record};
    return result;
}

struct Bench {
    TempDir dir{"lab-test"};
    Store store{dir.path() / "s.db"};
    ArmChoice arms;
    Experiment experiment;
    World world;
    std::atomic<int> boots{0};

    Bench() {
        experiment.machine.name = "toy";
        experiment.machine.arch = "arm64";
        experiment.machine.cpus = 2;
        arms.base = "6.12";
        experiment.load = &pipe;
        experiment.options = {{"loops", 3000}};
        experiment.workers = 2;
        world.build = built;
        world.now = [] { return std::string("2020-11-09T12:00:00Z"); };
        world.boot = [this](const BootRequest &request) {
            ++boots;
            return booted(request);
        };
    }
    Bench &toggling(const std::string &feature) {
        arms.features = {feature};
        return *this;
    }
    ComparisonReport conduct() {
        experiment.arms = choose_arms(arms, experiment.machine.arch);
        return schedlab::conduct(experiment, world, store);
    }
};

std::vector<std::string> order(std::span<const Cell> plan) {
    std::vector<std::string> names;
    for (const Cell &cell : plan)
        names.push_back(std::string(to_string(cell.side)) + std::to_string(cell.job.seed));
    return names;
}

} // namespace

TEST_CASE("a feature toggled: verdict, medians, and the same again from the store", "[lab]") {
    Bench bench;
    bench.toggling("ASYM_PREV");
    const ComparisonReport first = bench.conduct();
    CHECK(conclusion(first.metrics) == Verdict::better);
    CHECK(first.metrics[0].a == std::vector<double>{6001, 6002, 6003, 6004, 6005});
    CHECK(first.metrics[0].median_b == 6);
    CHECK(first.a.seeds == std::vector<std::uint64_t>{1, 2, 3, 4, 5});
    CHECK(bench.boots == 10);
    CHECK_THAT(first.kept_in, ContainsSubstring("10 runs, 0 of them reused"));

    const ComparisonReport again = bench.conduct();
    CHECK(bench.boots == 10);
    CHECK_THAT(again.kept_in, ContainsSubstring("10 runs, 10 of them reused"));
    CHECK(comparison_json(again).dump() == comparison_json(first).dump());

    bench.experiment.seeds = 6; // only what is missing is run
    bench.conduct();
    CHECK(bench.boots == 12);

    bench.experiment.fresh = true;
    bench.conduct();
    CHECK(bench.boots == 24);
}

TEST_CASE("runs that are not true to the machine's description any more are not reused", "[lab]") {
    Bench bench;
    bench.toggling("ASYM_PREV").conduct();
    bench.experiment.machine.domains = {{{"MC"}, {{CpuSet{0, 1}, CpuSet{0, 1}}}, {}, {}}};
    bench.conduct();
    CHECK(bench.boots == 10);
    bench.experiment.machine.domains[0].names = {"CLS"};
    bench.conduct();
    CHECK(bench.boots == 20);
}

TEST_CASE("F=0 swaps the arms", "[lab]") {
    Bench bench;
    CHECK(conclusion(bench.toggling("ASYM_PREV=0").conduct().metrics) == Verdict::worse);
}

TEST_CASE("two kernels: the second one is worse", "[lab]") {
    Bench bench;
    bench.arms.base.clear();
    const TempDir images("lab-images");
    for (const char *name : {"stock", "patched"})
        write_file_atomically(images.path() / name, "kernel");
    bench.arms.a = (images.path() / "stock").string();
    bench.arms.b = (images.path() / "patched").string();
    const ComparisonReport report = bench.conduct();
    CHECK(conclusion(report.metrics) == Verdict::worse);
    CHECK(report.warnings.empty());
}

TEST_CASE("choices that say nothing are usage errors", "[lab]") {
    const auto refusal = [](const ArmChoice &choice) {
        return thrown([&] { choose_arms(choice, "arm64"); });
    };
    const std::vector<ArmChoice> bad = {
        {},
        {.base = "6.12"},
        {.base = "6.12", .a = "6.12", .b = "6.1"},
        {.base = "6.12", .b = "HEAD", .tree = "/tree"},
        {.base = "6.12", .features = {"asym prev"}},
        {.base = "6.12", .features = {"ASYM_PREV=2"}},
        {.base = "6.12", .features = {"ASYM_PREV"}, .b = "6.1"},
    };
    for (const ArmChoice &choice : bad)
        CHECK(refusal(choice).code() == Exit::usage);
}

TEST_CASE("a feature the kernel lacks is a usage error with the nearest name", "[lab]") {
    Bench bench;
    bench.toggling("ASYM_PRV");
    const Error e = thrown([&] { bench.conduct(); });
    CHECK(e.code() == Exit::usage);
    CHECK_THAT(e.what(), ContainsSubstring("ASYM_PRV"));
    CHECK_THAT(e.remedy(), ContainsSubstring("ASYM_PREV"));
}

TEST_CASE("a failed boot ends the plan with its console, and what was finished is kept", "[lab]") {
    Bench bench;
    bench.toggling("ASYM_PREV").experiment.workers = 1;
    bench.world.boot = [&](const BootRequest &request) {
        if (++bench.boots < 4)
            return booted(request);
        BootResult panic;
        panic.end = BootEnd::panic;
        panic.message = "toy: kernel panic";
        panic.console = {"Kernel panic - not syncing: no reason"};
        return panic;
    };
    const Error e = thrown([&] { bench.conduct(); });
    CHECK(e.code() == Exit::failed);
    CHECK_THAT(e.what(), ContainsSubstring("kernel panic"));
    CHECK_THAT(e.remedy(), ContainsSubstring("no reason"));
    CHECK(bench.boots == 4);

    bench.world.boot = [&](const BootRequest &request) {
        ++bench.boots;
        return booted(request);
    };
    bench.conduct();
    CHECK(bench.boots == 4 + 7);
}

TEST_CASE("a boot that throws ends the plan; the other worker's run is kept", "[lab]") {
    Bench bench;
    bench.toggling("ASYM_PREV");
    bench.world.boot = [&](const BootRequest &request) -> BootResult {
        if (request.job.seed == 5)
            throw Error(Exit::interrupted, "interrupted");
        ++bench.boots;
        return booted(request);
    };
    CHECK(thrown([&] { bench.conduct(); }).code() == Exit::interrupted);
    CHECK(Database(bench.store.path()).integer("SELECT count(*) FROM runs WHERE ended = 'done'") == bench.boots);
}

TEST_CASE("lost data forbids a comparison", "[lab]") {
    Bench bench;
    bench.toggling("ASYM_PREV");
    bench.world.boot = [](const BootRequest &request) {
        BootResult result = booted(request);
        if (request.job.seed == 2)
            result.records[0].losses = {{"placement.map_full", 7, Severity::data_loss}};
        return result;
    };
    const Error e = thrown([&] { bench.conduct(); });
    CHECK(e.code() == Exit::failed);
    CHECK_THAT(e.what(), ContainsSubstring("placement.map_full"));
}

TEST_CASE("few boots: a warning, then no verdict", "[lab]") {
    Bench bench;
    bench.toggling("ASYM_PREV").experiment.seeds = 4;
    const ComparisonReport four = bench.conduct();
    CHECK(conclusion(four.metrics) == Verdict::better);
    CHECK(four.warnings.size() == 1);
    bench.experiment.seeds = 3;
    const ComparisonReport three = bench.conduct();
    CHECK_FALSE(conclusion(three.metrics));
    CHECK(three.warnings.size() == 1);
}

TEST_CASE("the noise floor comes from boots of arm a with other seeds, and is kept with the result", "[lab]") {
    Bench bench;
    bench.toggling("ASYM_PREV").experiment.noise_floor = true;
    const ComparisonReport report = bench.conduct();
    CHECK(conclusion(report.metrics) == Verdict::better);
    CHECK(bench.boots == 15);
    const auto noise = comparison_json(report).at("metrics").at(0).at("noise");
    CHECK(noise.at("again").size() == 5);
    CHECK(noise.at("again").at(0) == 6000 + 1'000'001 % 997);
    CHECK(noise.at("change") == 1'000'001 % 997 - 1);
}

TEST_CASE("until settled: a plain change ends at the first look, runs are made once", "[lab]") {
    Bench bench;
    bench.toggling("ASYM_PREV").experiment.until_settled = true;
    bench.experiment.seeds = 38;
    const ComparisonReport report = bench.conduct();
    CHECK(report.looks == 1);
    CHECK(bench.boots == 12);
    CHECK(conclusion(report.metrics) == Verdict::better);
    bench.conduct();
    CHECK(bench.boots == 12);
}

TEST_CASE("until settled: boots are added until the budget is spent", "[lab]") {
    Bench bench;
    bench.toggling("ASYM_PREV").experiment.until_settled = true;
    bench.experiment.seeds = 12;
    bench.experiment.fresh = true;
    bench.experiment.noise_floor = true;
    // Migrations that scatter widely in both arms alike.
    bench.world.boot = [&bench](const BootRequest &request) {
        ++bench.boots;
        BootResult result = booted(request);
        const bool calm = request.job.features.at("ASYM_PREV");
        result.records[0].metrics[0].value = double((request.job.seed * 7919 + (calm ? 13 : 0)) % 101);
        return result;
    };
    const ComparisonReport report = bench.conduct();
    CHECK(conclusion(report.metrics) == Verdict::unknown);
    CHECK(report.looks == 3); // at 6, 8 and 12 boots
    CHECK(bench.boots == 3 * 12); // fresh, and still each once: a, b, and a again
    CHECK(report.metrics[0].a.size() == 12);
    CHECK(report.metrics[0].noise->again.size() == 12);
    CHECK_THAT(comparison_text(report, {}), ContainsSubstring("ended at look 3"));
}

TEST_CASE("on hardware, boots are compared in the blocks they were made in", "[lab]") {
    Bench bench;
    bench.toggling("ASYM_PREV").experiment.seeds = 8;
    // Every block has a level of its own, which buries the change if blocks are not looked at.
    bench.world.boot = [](const BootRequest &request) {
        BootResult result = booted(request);
        const bool calm = request.job.features.at("ASYM_PREV");
        Record &record = result.records[0];
        record.emulated = false;
        record.metrics[0].value = 100.0 * double((request.job.seed - 1) / 2) + (calm ? 1010 : 1030) +
                                  double(request.job.seed % 2);
        return result;
    };
    CHECK(bench.conduct().metrics[0].verdict == Verdict::better);
    bench.world.boot = [boot = bench.world.boot](const BootRequest &request) {
        BootResult result = boot(request);
        result.records[0].emulated = true;
        return result;
    };
    bench.experiment.fresh = true;
    CHECK(bench.conduct().metrics[0].verdict == Verdict::unknown);
}

TEST_CASE("a plan has each arm once per seed, in blocks of ABBA or BAAB", "[lab]") {
    const Arms arms;
    const Machine machine;
    PlanRequest request;
    request.machine = &machine;
    request.arms = &arms;
    request.seeds = 41;
    const std::vector<Cell> plan = make_plan(request);
    const std::vector<std::string> names = order(plan);
    CHECK(std::set<std::string>(names.begin(), names.end()).size() == 82);
    std::set<std::string> patterns;
    for (std::size_t i = 0; i + 3 < names.size(); i += 4)
        patterns.insert({names[i][0], names[i + 1][0], names[i + 2][0], names[i + 3][0]});
    CHECK(patterns == std::set<std::string>{"abba", "baab"});
    CHECK(order(make_plan(request)) == names); // the order is a function of its seed
    // The rest of a plan is what stands in the whole one.
    request.planned = 20;
    CHECK(order(make_plan(request)) == std::vector<std::string>(names.begin() + 40, names.end()));
    request.planned = 0;
    request.order_seed = 2;
    CHECK(order(make_plan(request)) != names);
}

TEST_CASE("a cell's id changes with all that its outcome depends on", "[lab]") {
    Arms arms;
    arms.a.kernel.key = "k";
    Machine machine;
    PlanRequest request;
    request.machine = &machine;
    request.arms = &arms;
    request.seeds = 1;
    std::set<std::string> ids;
    const auto another = [&] {
        const auto plan = make_plan(request);
        return ids.insert(std::ranges::find(plan, Side::a, &Cell::side)->id).second;
    };
    CHECK(another());
    CHECK_FALSE(another());
    arms.a.kernel.key = "l";
    CHECK(another());
    arms.a.features["F"] = true;
    CHECK(another());
    machine.capacities.push_back({CpuSet{0, 1}, 592});
    CHECK(another());
    request.options = {{"loops", 5}};
    CHECK(another());
    request.probes = {"placement"};
    CHECK(another());
    request.apparatus.guest_hash = "g";
    CHECK(another());
    request.apparatus.qemu_version = "10.0.2";
    CHECK(another());
    request.apparatus.qemu_arguments = {"-icount"};
    CHECK(another());
}

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
