// SPDX-License-Identifier: GPL-2.0-or-later
// What a machine's description expects against what a kernel built.
#include <algorithm>
#include <fmt/format.h>
#include <map>

#include "core/machine.h"

namespace schedlab {

namespace {

struct Expected {
    const ExpectedDomain *domain;
    const CpuSet *span;
};

std::vector<Expected> expected_levels(const Machine &machine, int cpu) {
    std::vector<Expected> levels;
    for (const ExpectedDomain &domain : machine.domains)
        for (const auto &[cpus, span] : domain.spans)
            if (cpus.contains(cpu))
                levels.push_back({&domain, &span});
    return levels;
}

std::string joined(const std::vector<std::string> &texts, const char *separator) {
    return fmt::format("{}", fmt::join(texts, separator));
}

// "MC 0-3, PKG 0-7"
std::string tree_text(const std::vector<std::string> &levels) {
    return levels.empty() ? "no domain" : joined(levels, ", ");
}

bool has_any(const std::vector<std::string> &flags, const std::vector<std::string> &wanted) {
    return std::any_of(wanted.begin(), wanted.end(), [&flags](const std::string &flag) {
        return std::find(flags.begin(), flags.end(), flag) != flags.end();
    });
}

bool same_tree(const std::vector<Expected> &expected, const std::vector<Domain> &found) {
    return std::equal(expected.begin(), expected.end(), found.begin(), found.end(),
                      [](const Expected &want, const Domain &have) {
                          return has_any({have.name}, want.domain->names) && have.span == *want.span;
                      });
}

// What is wrong with one CPU's domains, without the CPU, so that equal CPUs share a line.
std::vector<std::string> domain_faults(const std::vector<Expected> &expected, const std::vector<Domain> &found) {
    if (!same_tree(expected, found)) {
        std::vector<std::string> want, have;
        for (const Expected &level : expected)
            want.push_back(fmt::format("{} {}", joined(level.domain->names, "|"), level.span->to_list()));
        for (const Domain &level : found)
            have.push_back(fmt::format("{} {}", level.name, level.span.to_list()));
        return {fmt::format("expected {}, found {}", tree_text(want), tree_text(have))};
    }
    std::vector<std::string> faults;
    for (std::size_t i = 0; i < found.size(); ++i) {
        for (const auto &flag : expected[i].domain->flags)
            if (!has_any(found[i].flags, flag))
                faults.push_back(fmt::format("{} lacks {}, it has {}", found[i].name, joined(flag, "|"),
                                             joined(found[i].flags, " ")));
        for (const auto &flag : expected[i].domain->absent_flags)
            if (has_any(found[i].flags, flag))
                faults.push_back(fmt::format("{} has {}, which it should not", found[i].name, joined(flag, "|")));
    }
    return faults;
}

} // namespace

std::vector<std::string> truth_check(const Machine &machine, const Topology &found,
                                     const std::vector<CpuDomains> &domains) {
    std::vector<int> wanted_cpus, found_cpus;
    for (int cpu = 0; cpu < machine.cpus; ++cpu)
        wanted_cpus.push_back(cpu);
    for (const CpuPlace &place : found.cpus)
        found_cpus.push_back(place.cpu);
    if (wanted_cpus != found_cpus)
        return {fmt::format("expected CPUs {}, found {}", CpuSet(wanted_cpus).to_list(), CpuSet(found_cpus).to_list())};

    std::vector<std::pair<std::string, std::vector<int>>> faults; // in order of their first CPU
    const auto report = [&faults](int cpu, const std::string &fault) {
        auto at = std::find_if(faults.begin(), faults.end(), [&](const auto &known) { return known.first == fault; });
        if (at == faults.end())
            at = faults.insert(faults.end(), {fault, {}});
        at->second.push_back(cpu);
    };
    for (const CpuPlace &place : found.cpus) {
        if (!machine.cpu_capacity.empty() && machine.cpu_capacity[place.cpu] != place.capacity)
            report(place.cpu,
                   fmt::format("expected cpu_capacity {}, found {}", machine.cpu_capacity[place.cpu], place.capacity));
        if (machine.domains.empty())
            continue; // a model under construction: nothing is claimed
        const auto own = std::find_if(domains.begin(), domains.end(),
                                      [&place](const CpuDomains &cpu) { return cpu.cpu == place.cpu; });
        for (const std::string &fault : domain_faults(expected_levels(machine, place.cpu),
                                                      own == domains.end() ? std::vector<Domain>() : own->levels))
            report(place.cpu, fault);
    }

    std::vector<std::string> lines;
    for (const auto &[fault, cpus] : faults)
        lines.push_back(fmt::format("{} {}: {}", cpus.size() == 1 ? "cpu" : "cpus", CpuSet(cpus).to_list(), fault));
    return lines;
}

} // namespace schedlab
