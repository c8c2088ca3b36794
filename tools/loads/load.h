// SPDX-License-Identifier: GPL-2.0-or-later
// A load is a row: a name, what it is, its options, and a function that runs it. The same code runs on
// the host, in a guest and on a board.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/frame_times.h"
#include "core/metric.h"
#include "core/option.h"

namespace schedlab {

// What a load tells the one who measures it. Both callbacks are made while all of the load's tasks exist:
// `begin` after warm-up and before the first counted operation, `end` right after the last one.
struct LoadHooks {
    std::function<void()> begin = [] {};
    std::function<void()> end = [] {};
};

struct LoadResult {
    std::uint64_t operations = 0; // counted operations (pipe: round trips)
    std::int64_t elapsed_ns = 0;  // CLOCK_MONOTONIC between begin and end
    std::vector<Metric> metrics;  // ops_per_sec, usec_per_op, ...
    std::vector<FrameTimes> frames = {};
};

// What a benchmark's users call a configuration by name: options that --preset stands for.
struct Preset {
    std::string_view name;
    std::string_view summary;
    std::vector<std::string> args; // as on a command line
};

struct Load {
    std::string_view name;
    std::string_view summary;
    std::vector<Option> options;
    // Refuses nonsense early (CPUs outside the mask, too few descriptors): throws a usage or environment error.
    void (*check)(const nlohmann::ordered_json &options);
    LoadResult (*run)(const nlohmann::ordered_json &options, std::uint64_t seed, const LoadHooks &hooks);
    // The metrics that decide a comparison under this load; in emulation those of class time stand aside.
    std::vector<std::string_view> primary = {};
    std::vector<Preset> presets = {};
};

// Each with the options that all loads have: --on, --instances.
std::span<const Load> all_loads();
const Load &find_load(std::string_view name); // throws a usage error with the names there are

// `args` with each "--preset NAME" replaced by what it stands for, which comes first: what is said beside it wins.
std::vector<std::string> expand_presets(const Load &load, std::span<const std::string> args);

// Load::check and Load::run, with what the options of all loads ask for. `options` are complete.
void check_load(const Load &load, const nlohmann::ordered_json &options);
LoadResult run_load(const Load &load, const nlohmann::ordered_json &options, std::uint64_t seed,
                    const LoadHooks &hooks);

} // namespace schedlab
