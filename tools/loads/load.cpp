// SPDX-License-Identifier: GPL-2.0-or-later
#include "loads/load.h"

#include <algorithm>

#include "core/error.h"
#include "loads/affinity.h"
#include "loads/c2c.h"
#include "loads/frames.h"
#include "loads/hogs.h"
#include "loads/instances.h"
#include "loads/messaging.h"
#include "loads/mix.h"
#include "loads/pipe.h"
#include "loads/rr.h"
#include "loads/spawn.h"
#include "loads/storm.h"
#include "loads/tb.h"
#include "loads/wake.h"

namespace schedlab {

namespace {

std::vector<Load> with_common_options(std::vector<Load> loads) {
    for (Load &load : loads) {
        load.options.push_back({"on", 0, OptionType::place, "", 0, 0,
                                "CPUs of the whole load: 0-3,8, node:0, llc:1, cluster:2, core:3, big, little"});
        load.options.push_back({"instances", 0, OptionType::integer, nullptr, 1, 1024,
                                "instances of the load, side by side; default: 1"});
    }
    return loads;
}

const Preset &find_preset(const Load &load, const std::string &name) {
    const auto found = std::ranges::find(load.presets, name, &Preset::name);
    if (found != load.presets.end())
        return *found;
    std::string known;
    for (const Preset &preset : load.presets)
        known += (known.empty() ? "" : ", ") + std::string(preset.name);
    throw usage_error("load " + std::string(load.name) + ": unknown preset '" + name + "'",
                      known.empty() ? "it has none" : "presets: " + known);
}

} // namespace

std::span<const Load> all_loads() {
    static const std::vector<Load> loads = with_common_options({
        c2c_load(),
        frames_load(),
        hogs_load(),
        messaging_load(),
        mix_load(),
        pipe_load(),
        rr_load(),
        spawn_load(),
        storm_load(),
        tb_load(),
        wake_load(),
    });
    return loads;
}

const Load &find_load(std::string_view name) {
    const std::span<const Load> loads = all_loads();
    const auto found = std::ranges::find(loads, name, &Load::name);
    if (found != loads.end())
        return *found;
    std::string known;
    for (const Load &load : loads)
        known += (known.empty() ? "" : ", ") + std::string(load.name);
    throw usage_error("unknown load '" + std::string(name) + "'", "loads: " + known);
}

std::vector<std::string> expand_presets(const Load &load, std::span<const std::string> args) {
    const std::string option = "--preset";
    std::vector<std::string> preset, rest;
    for (std::size_t i = 0; i < args.size(); ++i) {
        const bool attached = args[i].starts_with(option + "=");
        if (!attached && (args[i] != option || i + 1 == args.size())) {
            rest.push_back(args[i]);
            continue;
        }
        const std::string name = attached ? args[i].substr(option.size() + 1) : args[++i];
        const Preset &found = find_preset(load, name);
        preset.insert(preset.end(), found.args.begin(), found.args.end());
    }
    preset.insert(preset.end(), rest.begin(), rest.end());
    return preset;
}

void check_load(const Load &load, const nlohmann::ordered_json &options) {
    const SavedAffinity saved;
    confine_to(cpus_here(options.at("on"), "on"));
    load.check(options);
}

LoadResult run_load(const Load &load, const nlohmann::ordered_json &options, std::uint64_t seed,
                    const LoadHooks &hooks) {
    const SavedAffinity saved;
    confine_to(cpus_here(options.at("on"), "on")); // what the load creates inherits it
    const auto &instances = options.at("instances");
    return instances.is_null() ? load.run(options, seed, hooks)
                               : run_instances(load, instances, options, seed, hooks);
}

} // namespace schedlab
