// SPDX-License-Identifier: GPL-2.0-or-later
#include "core/captured_model.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <functional>
#include <set>

#include "core/error.h"

namespace schedlab {

namespace {

constexpr int most_cpus = 512; // of QEMU's virt machine with a GICv3

struct Level {
    std::string name;
    std::vector<std::string> flags;
    std::vector<CpuSet> spans; // one per CPU; empty: the CPU lacks the level
};

using Lists = std::vector<std::string>;

Lists lists_of(const std::vector<CpuSet> &sets) {
    Lists lists;
    for (const CpuSet &set : sets)
        lists.push_back(set.to_list());
    return lists;
}

std::string array(const Lists &texts) { return texts.empty() ? "[]" : fmt::format("[\"{}\"]", fmt::join(texts, "\", \"")); }

// The model's short form for equal neighbours: "0-7/2".
std::string groups_text(const std::vector<CpuSet> &groups) {
    int next = 0;
    const bool regular = groups.size() > 2 && std::ranges::all_of(groups, [&](const CpuSet &group) {
        const bool fits = group.first() == next && group.size() == groups.front().size() &&
                          group.last() - group.first() + 1 == int(group.size());
        next = group.last() + 1;
        return fits;
    });
    return regular ? fmt::format("[\"0-{}/{}\"]", next - 1, groups.front().size()) : array(lists_of(groups));
}

// The captured machine with CPUs 0, 1, 2 ...
class Renumbered {
public:
    explicit Renumbered(const CapturedMachine &captured) : captured_(captured) {
        for (const CpuPlace &place : captured.topology.cpus)
            numbers_[place.cpu] = int(numbers_.size());
    }

    int cpus() const { return int(numbers_.size()); }
    const CpuPlace &place(int cpu) const { return captured_.topology.cpus[std::size_t(cpu)]; }

    CpuSet renumbered(const CpuSet &old) const {
        std::vector<int> cpus;
        for (int cpu : old)
            if (const auto at = numbers_.find(cpu); at != numbers_.end())
                cpus.push_back(at->second);
        return CpuSet(std::move(cpus));
    }

    // CPUs for which `key` is the same, in order of their first.
    template <typename Key> std::vector<CpuSet> groups(Key key) const {
        std::vector<std::pair<decltype(key(place(0))), std::vector<int>>> found;
        for (int cpu = 0; cpu < cpus(); ++cpu) {
            const auto own = key(place(cpu));
            auto at = std::ranges::find_if(found, [&own](const auto &group) { return group.first == own; });
            if (at == found.end())
                at = found.insert(found.end(), {own, {}});
            at->second.push_back(cpu);
        }
        std::vector<CpuSet> sets;
        for (auto &group : found)
            sets.emplace_back(std::move(group.second));
        return sets;
    }

private:
    const CapturedMachine &captured_;
    std::map<int, int> numbers_;
};

// A cache never reaches beyond its node, as the scheduler sees it (sub-NUMA clustering).
auto llc_key(const CpuPlace &place) { return std::pair(place.llc, place.node); }

int distance(const CapturedMachine &captured, int from, int to) {
    const auto at = captured.distances.find({from, to});
    return at != captured.distances.end() ? at->second : from == to ? 10 : 20; // ACPI's defaults
}

Level level_of(std::string name, std::vector<std::string> flags, const std::vector<CpuSet> &groups, int cpus) {
    Level level{std::move(name), std::move(flags), std::vector<CpuSet>(std::size_t(cpus))};
    for (const CpuSet &group : groups)
        for (int cpu : group)
            level.spans[std::size_t(cpu)] = group;
    return level;
}

// A level per distance between nodes, as sched_init_numa() makes them: the nodes no farther than that.
std::vector<Level> numa_levels(const CapturedMachine &captured, const Renumbered &machine) {
    std::set<int> nodes, far;
    for (int cpu = 0; cpu < machine.cpus(); ++cpu)
        nodes.insert(machine.place(cpu).node);
    for (int from : nodes)
        for (int to : nodes)
            if (from != to)
                far.insert(distance(captured, from, to));
    std::vector<Level> levels;
    for (int limit : far) {
        Level &level = levels.emplace_back(Level{"NUMA", {"SD_NUMA"}, {}});
        for (int cpu = 0; cpu < machine.cpus(); ++cpu) {
            std::vector<int> span;
            for (int other = 0; other < machine.cpus(); ++other)
                if (machine.place(cpu).node == machine.place(other).node ||
                    distance(captured, machine.place(cpu).node, machine.place(other).node) <= limit)
                    span.push_back(other);
            level.spans.push_back(CpuSet(std::move(span)));
        }
    }
    return levels;
}

CpuSet without(const CpuSet &set, const CpuSet &taken) {
    std::vector<int> rest;
    std::ranges::set_difference(set, taken, std::back_inserter(rest));
    return CpuSet(std::move(rest));
}

// Lowest first. A level that adds no CPU to the one below is none (the kernel calls it degenerate).
std::vector<Level> levels_of(const CapturedMachine &captured, const Renumbered &machine) {
    const int cpus = machine.cpus();
    const std::vector<std::string> shared = {"SD_SHARE_LLC|SD_SHARE_PKG_RESOURCES"};
    std::vector<Level> levels = {
        level_of("SMT", {"SD_SHARE_CPUCAPACITY"}, machine.groups([](const CpuPlace &p) { return p.core; }), cpus),
        level_of("CLS", shared, machine.groups([](const CpuPlace &p) { return p.cluster; }), cpus),
        level_of("MC", shared, machine.groups(llc_key), cpus),
        level_of("PKG|DIE", {}, machine.groups([](const CpuPlace &p) { return p.node; }), cpus)};
    for (Level &level : numa_levels(captured, machine))
        levels.push_back(std::move(level));
    const CpuSet isolated = machine.renumbered(captured.isolated);
    for (int cpu = 0; cpu < cpus; ++cpu) {
        std::size_t below = 1;
        for (Level &level : levels) {
            CpuSet &span = level.spans[std::size_t(cpu)];
            span = isolated.contains(cpu) ? CpuSet() : without(span, isolated);
            if (span.size() <= below)
                span = CpuSet();
            else
                below = span.size();
        }
        // A CPU's first NUMA level is its first, at whatever distance.
        const auto numa = std::ranges::find(levels, "NUMA", &Level::name);
        for (auto free = numa, level = numa; level != levels.end(); ++level)
            if (CpuSet &span = level->spans[std::size_t(cpu)]; !span.empty())
                std::swap((free++)->spans[std::size_t(cpu)], span);
    }
    std::erase_if(levels, [](const Level &level) {
        return std::ranges::all_of(level.spans, [](const CpuSet &span) { return span.empty(); });
    });
    return levels;
}

// Disjoint spans as a list; spans that overlap with the CPUs that have them: { "0-3" = "0-5" }.
std::string spans_text(const Level &level) {
    std::vector<std::pair<CpuSet, std::vector<int>>> holders;
    for (int cpu = 0; cpu < int(level.spans.size()); ++cpu) {
        const CpuSet &span = level.spans[std::size_t(cpu)];
        if (span.empty())
            continue;
        auto at = std::ranges::find_if(holders, [&span](const auto &known) { return known.first == span; });
        if (at == holders.end())
            at = holders.insert(holders.end(), {span, {}});
        at->second.push_back(cpu);
    }
    std::vector<CpuSet> spans;
    Lists overlapping;
    for (const auto &[span, cpus] : holders) {
        spans.push_back(span);
        overlapping.push_back(fmt::format("\"{}\" = \"{}\"", CpuSet(cpus).to_list(), span.to_list()));
    }
    const bool disjoint = std::ranges::all_of(holders, [](const auto &known) { return known.second == known.first.cpus(); });
    return disjoint ? groups_text(spans) : fmt::format("{{ {} }}", fmt::join(overlapping, ", "));
}

std::string qemu_text(const CapturedMachine &captured, const Renumbered &machine, int memory_mib) {
    Lists options = {"-M virt,gic-version=3", "-cpu cortex-a57", fmt::format("-smp {}", machine.cpus())};
    const std::vector<CpuSet> nodes = machine.groups([](const CpuPlace &p) { return p.node; });
    const int count = int(nodes.size());
    for (int node = 0; node < count && count > 1; ++node)
        options.push_back(fmt::format("-object memory-backend-ram,id=m{},size={}M", node, memory_mib / count));
    for (int node = 0; node < count && count > 1; ++node) {
        std::string cpus = nodes[std::size_t(node)].to_list();
        for (std::size_t comma = 0; (comma = cpus.find(',', comma)) != cpus.npos; comma += 6)
            cpus.replace(comma, 1, ",cpus=");
        options.push_back(fmt::format("-numa node,nodeid={},cpus={},memdev=m{}", node, cpus, node));
    }
    const auto number = [&](int node) { return machine.place(nodes[std::size_t(node)].first()).node; };
    for (int from = 0; from < count; ++from)
        for (int to = from + 1; to < count; ++to)
            options.push_back(fmt::format("-numa dist,src={},dst={},val={}", from, to,
                                          distance(captured, number(from), number(to))));
    return fmt::format("[\n    \"{}\",\n]", fmt::join(options, "\",\n    \""));
}

// What the captured kernel built instead, if it is not what the topology asks for.
std::string differences(const CapturedMachine &captured, const Renumbered &machine, const std::vector<Level> &levels) {
    std::vector<std::pair<std::string, std::vector<int>>> found;
    for (const CpuDomains &domains : captured.domains) {
        const CpuSet own = machine.renumbered({domains.cpu});
        if (own.empty())
            continue;
        Lists have, want;
        for (const Domain &domain : domains.levels)
            have.push_back(machine.renumbered(domain.span).to_list());
        for (const Level &level : levels)
            if (const CpuSet &span = level.spans[std::size_t(own.first())]; !span.empty())
                want.push_back(span.to_list());
        if (have == want)
            continue;
        std::string text = have.empty() ? "no domain" : fmt::format("{}", fmt::join(have, ", "));
        auto at = std::ranges::find_if(found, [&text](const auto &known) { return known.first == text; });
        if (at == found.end())
            at = found.insert(found.end(), {std::move(text), {}});
        at->second.push_back(own.first());
    }
    std::string lines;
    for (const auto &[text, cpus] : found)
        lines += fmt::format("# The captured kernel had other domains for CPUs {}: {}\n", CpuSet(cpus).to_list(), text);
    return lines;
}

std::string header(const CapturedMachine &captured, const Renumbered &machine) {
    std::string text = fmt::format("# Captured{}{}.\n", captured.processor.empty() ? "" : " from " + captured.processor,
                                   captured.release.empty() ? "" : ", Linux " + captured.release);
    std::vector<int> old;
    for (int cpu = 0; cpu < machine.cpus(); ++cpu)
        old.push_back(machine.place(cpu).cpu);
    if (old.back() != machine.cpus() - 1)
        text += fmt::format("# CPUs 0-{} are there the CPUs {}, in this order.\n", machine.cpus() - 1, CpuSet(old).to_list());
    return text;
}

} // namespace

std::string model_text(const CapturedMachine &captured) {
    const Renumbered machine(captured);
    const int cpus = machine.cpus();
    if (cpus == 0 || cpus > most_cpus)
        throw usage_error(fmt::format("a machine of {} CPUs: a model can have 1 to {}", cpus, most_cpus));
    const std::size_t nodes = machine.groups([](const CpuPlace &p) { return p.node; }).size();
    const int per_node = std::max(1024, 32 * cpus) / int(nodes) / 64 * 64 + 64; // MiB
    const int memory_mib = per_node * int(nodes);
    const CpuSet isolated = machine.renumbered(captured.isolated);

    std::string text = header(captured, machine);
    text += fmt::format("summary = \"{} CPUs, {} NUMA node{}, captured\"\n", cpus, nodes, nodes == 1 ? "" : "s");
    text += fmt::format("arch = \"arm64\"\ncpus = {}\nmemory = {} # MiB\nqemu = {}\n", cpus, memory_mib,
                        qemu_text(captured, machine, memory_mib));
    if (!isolated.empty())
        text += fmt::format("command-line = \"isolcpus={}\"\n", isolated.to_list());
    Lists capacities;
    for (const CpuSet &group : machine.groups([](const CpuPlace &p) { return p.capacity; }))
        capacities.push_back(fmt::format("\"{}\" = {}", group.to_list(), machine.place(group.first()).capacity));
    text += fmt::format("cpu-capacity = {{ {} }}\n", fmt::join(capacities, ", "));

    text += "\n[device-tree]\n";
    if (capacities.size() > 1)
        text += fmt::format("capacity-dmips-mhz = {{ {} }}\n", fmt::join(capacities, ", "));
    std::vector<CpuSet> packages, clusters, cores = machine.groups([](const CpuPlace &p) { return p.core; });
    for (const CpuSet &package : captured.packages)
        if (CpuSet set = machine.renumbered(package); !set.empty())
            packages.push_back(std::move(set));
    for (const CpuSet &cluster : machine.groups([](const CpuPlace &p) { return p.cluster; }))
        if (std::ranges::find(cores, cluster) == cores.end())
            clusters.push_back(cluster);
    text += fmt::format("packages = {}\n", groups_text(packages));
    if (!clusters.empty())
        text += fmt::format("clusters = {}\n", groups_text(clusters));
    text += fmt::format("cores = {}\nl2 = {}\nl3 = {}\n", groups_text(cores), groups_text(cores),
                        groups_text(machine.groups(llc_key)));

    const std::vector<Level> levels = levels_of(captured, machine);
    for (const Level &level : levels)
        text += fmt::format("\n[[domain]]\nname = \"{}\"\nspans = {}\nflags = {}\n", level.name, spans_text(level),
                            array(level.flags));
    const std::string other = differences(captured, machine, levels);
    return text + (other.empty() ? "" : "\n" + other);
}

} // namespace schedlab
