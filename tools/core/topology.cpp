// SPDX-License-Identifier: GPL-2.0-or-later
#include "core/topology.h"

#include <algorithm>
#include <climits>
#include <nlohmann/json.hpp>

#include "core/json_object.h"

namespace schedlab {

using Json = nlohmann::ordered_json;

std::string_view to_string(Distance distance) {
    constexpr std::string_view names[distance_count] = {"same", "smt", "cluster", "llc", "node", "remote"};
    return names[int(distance)];
}

const CpuPlace *Topology::find(int cpu) const {
    const auto at = std::lower_bound(cpus.begin(), cpus.end(), cpu,
                                     [](const CpuPlace &place, int wanted) { return place.cpu < wanted; });
    return at != cpus.end() && at->cpu == cpu ? &*at : nullptr;
}

Distance Topology::distance(int from, int to) const {
    const CpuPlace *a = find(from), *b = find(to);
    if (!a || !b)
        return Distance::remote;
    if (a->cpu == b->cpu)
        return Distance::same;
    if (a->core == b->core)
        return Distance::smt;
    if (a->cluster == b->cluster)
        return Distance::cluster;
    if (a->llc == b->llc)
        return Distance::llc;
    return a->node == b->node ? Distance::node : Distance::remote;
}

bool Topology::asymmetric() const {
    return std::any_of(cpus.begin(), cpus.end(),
                       [this](const CpuPlace &place) { return place.capacity != cpus.front().capacity; });
}

void to_json(Json &json, const Topology &topology) {
    Json cpus = Json::array();
    for (const CpuPlace &place : topology.cpus)
        cpus.push_back({{"cpu", place.cpu},
                        {"core", place.core},
                        {"cluster", place.cluster},
                        {"llc", place.llc},
                        {"node", place.node},
                        {"capacity", place.capacity}});
    json = Json{{"cpus", std::move(cpus)}};
}

void from_json(const Json &json, Topology &topology) {
    Topology read;
    for (const JsonObject &cpu : JsonObject(json, "topology").objects("cpus")) {
        const auto id = [&cpu](const char *key) { return int(cpu.integer(key, 0, INT_MAX)); };
        read.cpus.push_back({id("cpu"), id("core"), id("cluster"), id("llc"), id("node"), id("capacity")});
        if (read.cpus.size() > 1 && read.cpus.back().cpu <= read.cpus[read.cpus.size() - 2].cpu)
            cpu.refuse("cpu", "is out of order: CPUs are listed once, in ascending order");
    }
    topology = std::move(read);
}

void to_json(Json &json, const std::vector<CpuDomains> &domains) {
    json = Json::array();
    for (const CpuDomains &cpu : domains) {
        Json levels = Json::array();
        for (const Domain &domain : cpu.levels)
            levels.push_back({{"name", domain.name}, {"flags", domain.flags}, {"span", domain.span.to_list()}});
        json.push_back({{"cpu", cpu.cpu}, {"levels", std::move(levels)}});
    }
}

void from_json(const Json &json, std::vector<CpuDomains> &domains) {
    std::vector<CpuDomains> read;
    for (const JsonObject &cpu : JsonObject::objects_of(json, "domains")) {
        CpuDomains &out = read.emplace_back();
        out.cpu = int(cpu.integer("cpu", 0, INT_MAX));
        for (const JsonObject &level : cpu.objects("levels")) {
            Domain &domain = out.levels.emplace_back();
            domain.name = level.text("name");
            domain.flags = level.texts("flags");
            std::sort(domain.flags.begin(), domain.flags.end());
            domain.span = level.parsed("span", CpuSet::parse_list);
        }
    }
    domains = std::move(read);
}

} // namespace schedlab
