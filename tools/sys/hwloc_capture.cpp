// SPDX-License-Identifier: GPL-2.0-or-later
#include "sys/hwloc_capture.h"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <fmt/format.h>
#include <hwloc.h>
#include <memory>

#include "core/error.h"

namespace schedlab {

namespace {

using Topo = std::unique_ptr<hwloc_topology, decltype(&hwloc_topology_destroy)>;

Topo load(const std::filesystem::path &xml) {
    hwloc_topology_t raw = nullptr;
    if (::hwloc_topology_init(&raw) != 0)
        throw environment_error("cannot set up hwloc");
    Topo topo(raw, &hwloc_topology_destroy);
    // CPUs that whoever saved it was not allowed to use are the machine's all the same.
    ::hwloc_topology_set_flags(raw, HWLOC_TOPOLOGY_FLAG_INCLUDE_DISALLOWED);
    if (::hwloc_topology_set_xml(raw, xml.c_str()) != 0 || ::hwloc_topology_load(raw) != 0)
        throw usage_error(fmt::format("{}: hwloc cannot read a topology from it", xml.string()),
                          "save one on the machine in question: lstopo machine.xml");
    return topo;
}

CpuSet set_of(hwloc_const_bitmap_t bitmap) {
    std::vector<int> numbers;
    for (int n = ::hwloc_bitmap_first(bitmap); n >= 0; n = ::hwloc_bitmap_next(bitmap, n))
        numbers.push_back(n);
    return CpuSet(std::move(numbers));
}

bool within(const CpuSet &part, const CpuSet &whole) { return std::ranges::includes(whole, part); }

// The kernel's cluster is a group; where that has the same CPUs as a cache, hwloc keeps the cache. On x86-64 a cluster is
// what shares an L2 cache anyway.
bool may_be_cluster(const hwloc_obj &object) {
    return object.type == HWLOC_OBJ_L2CACHE ||
           (object.type == HWLOC_OBJ_GROUP && object.subtype && std::strcmp(object.subtype, "Cluster") == 0);
}

CpuPlace place_of(hwloc_topology_t topo, const hwloc_obj &unit) {
    CpuPlace place;
    place.cpu = place.core = int(unit.os_index);
    CpuSet core = {place.cpu}, cluster, llc, package;
    for (const hwloc_obj *up = unit.parent; up; up = up->parent) {
        const CpuSet cpus = set_of(up->cpuset);
        if (up->type == HWLOC_OBJ_CORE)
            core = cpus;
        else if (::hwloc_obj_type_is_dcache(up->type))
            llc = cpus; // the highest is met last
        else if (up->type == HWLOC_OBJ_PACKAGE)
            package = cpus;
        if (may_be_cluster(*up) && cluster.empty() && cpus.size() > core.size())
            cluster = cpus;
    }
    if (llc.empty())
        llc = package.empty() ? core : package;
    place.core = core.first();
    place.llc = llc.first();
    const bool part = !cluster.empty() && cluster.size() < llc.size() && within(cluster, llc);
    place.cluster = part ? cluster.first() : place.core;
    if (const int node = ::hwloc_bitmap_first(unit.nodeset); node >= 0)
        place.node = node;
    const int kind = ::hwloc_cpukinds_get_by_cpuset(topo, unit.cpuset, 0);
    unsigned count = 0;
    hwloc_info_s *infos = nullptr;
    if (kind >= 0 && ::hwloc_cpukinds_get_info(topo, unsigned(kind), nullptr, nullptr, &count, &infos, 0) == 0)
        for (const hwloc_info_s &info : std::span(infos, count))
            if (const std::string_view value = info.value; std::strcmp(info.name, "LinuxCapacity") == 0)
                std::from_chars(value.data(), value.data() + value.size(), place.capacity);
    return place;
}

template <class Visit> void each(hwloc_topology_t topo, hwloc_obj_type_t type, Visit visit) {
    for (hwloc_obj_t object = nullptr; (object = ::hwloc_get_next_obj_by_type(topo, type, object));)
        visit(*object);
}

std::map<std::pair<int, int>, int> node_distances(hwloc_topology_t topo) {
    std::map<std::pair<int, int>, int> found;
    unsigned count = 1;
    hwloc_distances_s *matrix = nullptr;
    if (::hwloc_distances_get_by_name(topo, "NUMALatency", &count, &matrix, 0) != 0 || count == 0)
        return found;
    for (unsigned from = 0; from < matrix->nbobjs; ++from)
        for (unsigned to = 0; to < matrix->nbobjs; ++to)
            found[{int(matrix->objs[from]->os_index), int(matrix->objs[to]->os_index)}] =
                int(matrix->values[from * matrix->nbobjs + to]);
    ::hwloc_distances_release(topo, matrix);
    return found;
}

std::string info_of(hwloc_obj_t object, const char *name) {
    const char *text = object ? ::hwloc_obj_get_info_by_name(object, name) : nullptr;
    return text ? text : "";
}

} // namespace

CapturedMachine capture_hwloc(const std::filesystem::path &xml) {
    const Topo topo = load(xml);
    const hwloc_obj_t root = ::hwloc_get_root_obj(topo.get());
    CapturedMachine captured;
    captured.processor = info_of(::hwloc_get_obj_by_type(topo.get(), HWLOC_OBJ_PACKAGE, 0), "CPUModel");
    captured.release = info_of(root, "OSRelease");
    each(topo.get(), HWLOC_OBJ_PU, [&](const hwloc_obj &unit) {
        captured.topology.cpus.push_back(place_of(topo.get(), unit));
    });
    std::ranges::sort(captured.topology.cpus, {}, &CpuPlace::cpu);
    each(topo.get(), HWLOC_OBJ_PACKAGE, [&](const hwloc_obj &package) {
        captured.packages.push_back(set_of(package.cpuset));
    });
    if (captured.packages.empty())
        captured.packages.push_back(set_of(root->cpuset));
    captured.distances = node_distances(topo.get());
    captured.domains_missing = "hwloc does not save them";
    return captured;
}

} // namespace schedlab
