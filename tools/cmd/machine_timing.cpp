// SPDX-License-Identifier: GPL-2.0-or-later
// schedlab machine timing: what a line takes from CPU to CPU as the guest measures it, against the model's file.
#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "cmd/machine_timing.h"
#include "core/error.h"

namespace schedlab {

namespace {

// Measured and described may differ by this part, and by this much: a chain's steps are not free of instructions.
constexpr double part = 0.05, ns = 0.1;

struct Way {
    int from = 0, to = 0;
    const TimingLevel *level = nullptr;
    double measured_ns = 0;

    bool as_described() const { return std::abs(measured_ns - level->line_ns) <= std::max(ns, part * level->line_ns); }
};

std::vector<Way> ways_of(const Machine &machine, const CpuSet &cpus, const Record &record) {
    std::vector<Way> ways;
    for (const int from : cpus)
        for (const int to : cpus)
            if (from < to)
                if (const Metric *metric = record.find(fmt::format("line_ns.{}-{}", from, to)))
                    ways.push_back({from, to, &level_between(*machine.timing, from, to), metric->value});
    return ways;
}

void print_matrix(const CpuSet &cpus, const std::vector<Way> &ways) {
    fmt::print("{:>5}", "CPU");
    for (const int to : cpus)
        fmt::print(" {:>7}", to);
    for (const int from : cpus) {
        fmt::print("\n{:>5}", from);
        for (const int to : cpus) {
            const auto way = std::ranges::find_if(
                ways, [&](const Way &w) { return w.from == std::min(from, to) && w.to == std::max(from, to); });
            fmt::print(" {:>7}", way == ways.end() ? "-" : fmt::format("{:.1f}", way->measured_ns));
        }
    }
    fmt::print("\n");
}

} // namespace

int report_timing(const Machine &machine, const CpuSet &cpus, const Record &record, bool json) {
    const std::vector<Way> ways = ways_of(machine, cpus, record);
    if (json) {
        nlohmann::ordered_json all = nlohmann::ordered_json::array();
        for (const Way &way : ways)
            all.push_back({{"cpus", {way.from, way.to}},
                           {"level", way.level->name},
                           {"line_ns", way.level->line_ns},
                           {"measured_ns", way.measured_ns}});
        fmt::print("{}\n", nlohmann::ordered_json{{"machine", machine.name}, {"ways", all}}.dump(2));
    } else {
        fmt::print("{}: what a line takes from CPU to CPU, in ns (modelled)\n\n", machine.name);
        print_matrix(cpus, ways);
    }
    for (const Way &way : ways)
        if (!way.as_described())
            throw run_error(fmt::format("{}: a line from CPU {} to {} takes {:.1f} ns, but '{}' says {} ns", machine.name,
                                        way.from, way.to, way.measured_ns, way.level->name, way.level->line_ns));
    if (!json)
        fmt::print("\nas described, within 5 %\n");
    return 0;
}

} // namespace schedlab
