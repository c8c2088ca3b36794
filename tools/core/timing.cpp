// SPDX-License-Identifier: GPL-2.0-or-later
#include "core/timing.h"

#include "core/model_section.h"

namespace schedlab {

namespace {

// What the emulator can hold: patches/qemu.
constexpr std::size_t most_levels = 8, most_clusters = 64;
constexpr double most_ns = 1e6;

TimingLevel parse_level(ModelSection section, int cpus) {
    TimingLevel level;
    level.name = section.text("name");
    if (level.name.empty() || level.name.find_first_of(" \t\n#") != std::string::npos)
        section.refuse("name", "is not one word");
    level.groups = section.disjoint_sets("cpus", cpus);
    std::size_t held = 0;
    for (const CpuSet &group : level.groups)
        held += group.size();
    if (held != std::size_t(cpus))
        section.refuse("cpus", fmt::format("holds {} CPUs of {}", held, cpus));
    if (section.get("cache"))
        level.cache_kib = section.integer("cache", 1, 1 << 20);
    level.line_ns = section.number("line", 0, most_ns);
    level.interrupt_ns = section.number("interrupt", 0, most_ns);
    section.finish();
    return level;
}

bool holds(const TimingLevel &outer, const CpuSet &inner) {
    return std::ranges::any_of(outer.groups, [&](const CpuSet &group) {
        return std::ranges::all_of(inner, [&](int cpu) { return group.contains(cpu); });
    });
}

void check_levels(const std::vector<TimingLevel> &levels, const ModelSection &section) {
    if (levels.size() < 2 || levels.size() > most_levels)
        section.refuse("level", fmt::format("is there {} times; 2 to {} are possible", levels.size(), most_levels));
    if (levels[0].cache_kib == 0)
        section.refuse("level", "has no cache in the first place: the nearest level is the core");
    if (levels[1].groups.size() > most_clusters)
        section.refuse("level", fmt::format("has {} groups in the second place; {} are possible",
                                            levels[1].groups.size(), most_clusters));
    if (levels.back().groups.size() != 1)
        section.refuse("level", "ends before one group holds all CPUs");
    for (std::size_t i = 1; i < levels.size(); ++i) {
        for (const CpuSet &inner : levels[i - 1].groups)
            if (!holds(levels[i], inner))
                section.refuse("level", fmt::format("tears {} of '{}' apart in '{}'", inner.to_list(),
                                                    levels[i - 1].name, levels[i].name));
        if (i > 1 && levels[i].cache_kib > 0)
            section.refuse("level", fmt::format("has a cache in '{}': only the first two levels can", levels[i].name));
    }
}

std::size_t group_of(const TimingLevel &level, int cpu) {
    return std::size_t(std::ranges::find_if(level.groups, [&](const CpuSet &g) { return g.contains(cpu); }) -
                       level.groups.begin());
}

} // namespace

Timing parse_timing(ModelSection section, int cpus) {
    Timing timing;
    timing.speed.assign(std::size_t(cpus), 0);
    for (const CapacityEdit &group : section.per_cpus("speed", cpus))
        for (int cpu : group.cpus)
            timing.speed[std::size_t(cpu)] = group.dmips_mhz;
    if (const auto slow = std::ranges::find(timing.speed, 0); slow != timing.speed.end())
        section.refuse("speed", fmt::format("says nothing of CPU {}", slow - timing.speed.begin()));
    if (section.get("quantum"))
        timing.quantum_ns = section.integer("quantum", 1, 1'000'000);
    timing.memory_ns = section.number("memory", 0, most_ns);
    const toml::node *levels = section.get("level");
    if (!levels || !levels->is_array_of_tables())
        section.refuse("level", "is not a list of tables: write [[timing.level]], nearest first");
    for (const toml::node &level : *levels->as_array())
        timing.levels.push_back(parse_level(section.below(*level.as_table(), "level."), cpus));
    check_levels(timing.levels, section);
    section.finish();
    return timing;
}

const TimingLevel &level_between(const Timing &timing, int a, int b) {
    return *std::ranges::find_if(timing.levels, [&](const TimingLevel &level) {
        return group_of(level, a) == group_of(level, b); // at the latest the last one
    });
}

CpuSet distances_in_short(const Timing &timing) {
    std::vector<int> cpus = {0};
    for (int cpu = 1; cpu < int(timing.speed.size()); ++cpu)
        if (const TimingLevel *level = &level_between(timing, 0, cpu);
            std::ranges::none_of(cpus, [&](int known) { return known > 0 && &level_between(timing, 0, known) == level; }))
            cpus.push_back(cpu);
    return CpuSet(cpus);
}

std::string timing_file(const Timing &timing) {
    std::string text;
    for (const TimingLevel &level : timing.levels) {
        text += fmt::format("level {} line {} interrupt {}", level.name, level.line_ns, level.interrupt_ns);
        text += level.cache_kib > 0 ? fmt::format(" cache {}\n", std::int64_t(level.cache_kib) * 1024) : "\n";
    }
    text += fmt::format("memory {}\n", timing.memory_ns);
    for (std::size_t cpu = 0; cpu < timing.speed.size(); ++cpu) {
        text += fmt::format("cpu {} speed {} in", cpu, timing.speed[cpu]);
        for (const TimingLevel &level : timing.levels)
            text += fmt::format(" {}", group_of(level, int(cpu)));
        text += "\n";
    }
    return text;
}

} // namespace schedlab
