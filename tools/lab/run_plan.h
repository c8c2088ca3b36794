// SPDX-License-Identifier: GPL-2.0-or-later
// Runs a plan's cells, several at once, and saves each as it ends; a cell that is in the store is not run again.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "boot/boot.h"
#include "lab/plan.h"
#include "store/store.h"

namespace schedlab {

struct RunResult {
    StoredRun run;
    bool reused = false;
};

struct PlanState {
    std::size_t done = 0, all = 0;
    std::string last; // "b, seed 3": what ended last; empty at the start
};

struct Laboratory {
    const Machine *machine = nullptr;
    Store *store = nullptr;
    std::function<BootResult(const BootRequest &)> boot; // called from several threads
    std::function<std::string()> now;                    // UTC, ISO 8601
    std::function<void(const PlanState &)> on_progress;  // called by one thread at a time
    unsigned workers = 1;
    bool fresh = false; // run cells anew that the store has
};

// Results in the plan's order. The first run that fails ends it: runs under way are finished and saved, no other is
// begun, and that failure is thrown; a usage error if the kernel lacks a feature that was to be switched.
std::vector<RunResult> run_plan(std::span<const Cell> plan, const Laboratory &laboratory);

} // namespace schedlab
