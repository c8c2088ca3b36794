// SPDX-License-Identifier: GPL-2.0-or-later
// A whole comparison: kernels are built, the plan is run, the records are compared.
#pragma once

#include <string>

#include "lab/arms.h"
#include "lab/run_plan.h"
#include "loads/load.h"
#include "report/comparison.h"

namespace schedlab {

struct Experiment {
    Machine machine;
    ArmSpecs arms;
    const Load *load = nullptr;
    nlohmann::ordered_json options; // of the load, complete
    std::vector<std::string> probes = {"placement"};
    std::uint64_t seeds = 5;
    bool until_settled = false; // boots are added until the primary metrics are settled; `seeds` is the budget
    std::uint64_t order_seed = 1;
    bool noise_floor = false;
    bool fresh = false;
    unsigned workers = 1;
};

// What an experiment needs from outside; tests put their own in.
struct World {
    BuildKernel build;
    std::function<BootResult(const BootRequest &)> boot;
    std::function<std::string()> now; // UTC, ISO 8601
    Apparatus apparatus;
    std::function<void(const PlanState &)> on_progress;
};

ComparisonReport conduct(const Experiment &experiment, const World &world, Store &store);

} // namespace schedlab
