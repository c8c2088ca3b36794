// SPDX-License-Identifier: GPL-2.0-or-later
// Comparisons without a kernel or an emulator: building and booting are injected.
#pragma once

#include <atomic>
#include <string>

#include "lab/experiment.h"
#include "sys/files.h"

namespace schedlab::test {

inline const Load pipe = {"pipe", "", {}, nullptr, nullptr, {"migrations", "ops_per_sec"}};

inline Image built(const KernelSpec &spec) {
    const std::string name =
        spec.image.empty() ? spec.base + (spec.with_series ? "+series" : "") : spec.image.string();
    return {"/images/" + name, {}, "key of " + name, {}, name};
}

// A guest in which ASYM_PREV ends migrations, and a kernel named "patched" doubles them.
inline BootResult booted(const BootRequest &request) {
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

} // namespace schedlab::test
