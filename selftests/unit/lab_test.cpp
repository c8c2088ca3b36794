// SPDX-License-Identifier: GPL-2.0-or-later
// Whole comparisons: what is run, what is reused, what is refused, and what is said of it.
#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <set>

#include "core/error.h"
#include "lab_bench.h"
#include "thrown.h"

using namespace schedlab;
using test::Bench;
using test::booted;
using test::built;
using test::thrown;
using Catch::Matchers::ContainsSubstring;

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
    CHECK_THAT(comparison_text(report, {}), ContainsSubstring("Ended at look 3"));
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
