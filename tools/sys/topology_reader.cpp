// SPDX-License-Identifier: GPL-2.0-or-later
#include "sys/topology_reader.h"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>
#include <map>
#include <sstream>

#include "core/error.h"
#include "sys/files.h"

namespace schedlab {

namespace fs = std::filesystem;

namespace {

CpuSet list_in(const fs::path &path) { return CpuSet::parse_list(read_file_or(path)); }

int number_in(const fs::path &path, int fallback) {
    const std::string text = read_file_or(path);
    int value = fallback;
    std::from_chars(text.data(), text.data() + text.size(), value);
    return value;
}

// The CPUs that share the highest cache level of `cpu`; empty where the kernel knows of no caches.
CpuSet last_level_cache(const fs::path &cpu) {
    CpuSet sharers;
    int highest = 0;
    for (int index = 0; fs::exists(cpu / fmt::format("cache/index{}", index)); ++index) {
        const fs::path cache = cpu / fmt::format("cache/index{}", index);
        if (const int level = number_in(cache / "level", 0); level > highest) {
            highest = level;
            sharers = list_in(cache / "shared_cpu_list");
        }
    }
    return sharers;
}

// A group is known by its first CPU. An offline CPU has no groups: it stands alone.
int group_id(const CpuSet &group, int fallback) { return group.empty() ? fallback : group.first(); }

CpuPlace place_of(int cpu, const fs::path &dir, const std::map<int, int> &nodes) {
    CpuPlace place;
    place.cpu = cpu;
    if (const auto node = nodes.find(cpu); node != nodes.end())
        place.node = node->second;
    place.capacity = number_in(dir / "cpu_capacity", 1024);
    const fs::path topology = dir / "topology";
    place.core = group_id(list_in(topology / "thread_siblings_list"), cpu);
    const CpuSet cluster = list_in(topology / "cluster_cpus_list"); // Linux 5.16
    CpuSet llc = last_level_cache(dir);
    if (llc.empty())
        llc = list_in(topology / "core_siblings_list"); // no caches described: the package
    place.llc = group_id(llc, place.core);
    // As the scheduler's CLS level, a cluster counts only if it is a part of the last-level cache's CPUs.
    const bool part = !cluster.empty() && cluster.size() < llc.size() &&
                      std::includes(llc.begin(), llc.end(), cluster.begin(), cluster.end());
    place.cluster = part ? cluster.first() : place.core;
    return place;
}

// domain0, domain1 ... of each CPU in /proc/schedstat: "domain0 0000000f ..." or, since version 17 (Linux 6.14),
// "domain0 MC 0000000f ...".
std::map<int, std::vector<CpuSet>> spans_in(const std::string &schedstat) {
    std::map<int, std::vector<CpuSet>> spans;
    std::istringstream lines(schedstat);
    std::vector<CpuSet> *current = nullptr;
    int version = 0;
    for (std::string line; std::getline(lines, line);) {
        std::istringstream words(line);
        std::string word, mask;
        words >> word >> mask;
        if (word == "version")
            version = std::stoi(mask);
        else if (word.starts_with("cpu"))
            current = &spans[std::stoi(word.substr(3))];
        else if (word.starts_with("domain") && current) {
            if (version >= 17)
                words >> mask;
            current->push_back(CpuSet::parse_mask(mask));
        }
    }
    return spans;
}

Domain read_domain(const fs::path &dir, const CpuSet &span) {
    Domain domain;
    domain.span = span;
    std::istringstream(read_file(dir / "name")) >> domain.name;
    std::istringstream flags(read_file(dir / "flags"));
    for (std::string flag; flags >> flag;)
        domain.flags.push_back(flag);
    std::sort(domain.flags.begin(), domain.flags.end());
    return domain;
}

} // namespace

Topology read_topology(const fs::path &root) {
    const fs::path cpus = root / "sys/devices/system/cpu";
    const fs::path node_dir = root / "sys/devices/system/node";
    std::map<int, int> nodes; // CPU → node
    for (int node : list_in(node_dir / "online"))
        for (int cpu : list_in(node_dir / fmt::format("node{}/cpulist", node)))
            nodes[cpu] = node;
    Topology topology;
    for (int cpu : CpuSet::parse_list(read_file(cpus / "present")))
        topology.cpus.push_back(place_of(cpu, cpus / fmt::format("cpu{}", cpu), nodes));
    return topology;
}

std::vector<CpuDomains> read_domains(const fs::path &root) {
    const fs::path debug = root / "sys/kernel/debug/sched";
    if (!fs::exists(debug))
        throw environment_error(fmt::format("no {}", debug.string()),
                                "it needs root, debugfs mounted, CONFIG_DEBUG_FS and CONFIG_SCHED_DEBUG");
    const auto spans = spans_in(read_file_or(root / "proc/schedstat"));
    if (spans.empty())
        throw environment_error("/proc/schedstat lists no CPU", "the kernel needs CONFIG_SCHEDSTATS");
    std::vector<CpuDomains> domains;
    for (const auto &[cpu, levels] : spans) {
        CpuDomains &out = domains.emplace_back();
        out.cpu = cpu;
        for (std::size_t level = 0; level < levels.size(); ++level) {
            const fs::path dir = debug / fmt::format("domains/cpu{}/domain{}", cpu, level);
            if (!fs::exists(dir))
                throw environment_error(fmt::format("no {}", dir.string()),
                                        "boot with sched_verbose (before Linux 5.13 sched_debug) on the command line");
            out.levels.push_back(read_domain(dir, levels[level]));
        }
    }
    return domains;
}

} // namespace schedlab
