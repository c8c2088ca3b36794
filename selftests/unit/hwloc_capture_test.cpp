// SPDX-License-Identifier: GPL-2.0-or-later
// Topologies that hwloc saved → the captured machine.
#include <catch2/catch_test_macros.hpp>
#include <hwloc.h>

#include "source_dir.h"
#include "sys/files.h"
#include "sys/hwloc_capture.h"
#include "thrown.h"

using namespace schedlab;
using test::says;
using test::thrown;

namespace {

// What hwloc itself writes of a machine that it makes up, its nodes apart as `latencies` say.
void save(const std::filesystem::path &file, const char *description, const std::vector<hwloc_uint64_t> &latencies) {
    hwloc_topology_t topo = nullptr;
    REQUIRE(hwloc_topology_init(&topo) == 0);
    REQUIRE(hwloc_topology_set_synthetic(topo, description) == 0);
    REQUIRE(hwloc_topology_load(topo) == 0);
    std::vector<hwloc_obj_t> nodes;
    for (hwloc_obj_t node = nullptr; (node = hwloc_get_next_obj_by_type(topo, HWLOC_OBJ_NUMANODE, node));)
        nodes.push_back(node);
    REQUIRE(latencies.size() == nodes.size() * nodes.size());
    const auto handle = hwloc_distances_add_create(
        topo, "NUMALatency", HWLOC_DISTANCES_KIND_FROM_USER | HWLOC_DISTANCES_KIND_MEANS_LATENCY, 0);
    REQUIRE(hwloc_distances_add_values(topo, handle, unsigned(nodes.size()), nodes.data(),
                                       const_cast<hwloc_uint64_t *>(latencies.data()), 0) == 0);
    REQUIRE(hwloc_distances_add_commit(topo, handle, 0) == 0);
    REQUIRE(hwloc_topology_export_xml(topo, file.c_str(), 0) == 0);
    hwloc_topology_destroy(topo);
}

} // namespace

TEST_CASE("hwloc: a hybrid machine with holes, an offline CPU and some that were forbidden", "[capture]") {
    const CapturedMachine captured = capture_hwloc(SCHEDLAB_SOURCE_DIR "/selftests/data/hybrid.hwloc.xml");
    CHECK(captured.processor == "Example Hybrid");
    CHECK(captured.release == "6.8.0-test");
    REQUIRE(captured.packages == std::vector<CpuSet>{{0, 1, 2, 3, 8, 10, 11}});
    const auto places = std::vector<std::array<int, 6>>{
        {0, 0, 0, 0, 0, 1024}, {1, 0, 0, 0, 0, 1024}, {2, 2, 2, 0, 0, 1024},  {3, 2, 2, 0, 0, 1024},
        {8, 8, 8, 0, 0, 571},  {10, 10, 8, 0, 0, 571}, {11, 11, 8, 0, 0, 571}};
    REQUIRE(captured.topology.cpus.size() == places.size());
    for (std::size_t i = 0; i < places.size(); ++i) {
        const CpuPlace &p = captured.topology.cpus[i];
        INFO("CPU " << p.cpu);
        CHECK(std::array{p.cpu, p.core, p.cluster, p.llc, p.node, p.capacity} == places[i]);
    }
}

TEST_CASE("hwloc: nodes keep their numbers, caches and distances", "[capture]") {
    const TempDir dir("hwloc");
    const auto file = dir.path() / "machine.xml";
    save(file, "pack:2 [numa] l3:1 core:2 pu:1", {10, 21, 22, 10});
    const CapturedMachine captured = capture_hwloc(file);
    CHECK(captured.packages == std::vector<CpuSet>{{0, 1}, {2, 3}});
    CHECK(captured.distances == std::map<std::pair<int, int>, int>{{{0, 0}, 10}, {{0, 1}, 21}, {{1, 0}, 22}, {{1, 1}, 10}});
    for (const CpuPlace &place : captured.topology.cpus) {
        CHECK(place.node == place.cpu / 2);
        CHECK(place.llc == place.cpu / 2 * 2);
        CHECK(place.cluster == place.core);
        CHECK(place.capacity == 1024);
    }
    CHECK(captured.domains.empty());
}

TEST_CASE("hwloc: what is no topology is refused", "[capture]") {
    const TempDir dir("hwloc");
    const auto file = dir.path() / "machine.xml";
    write_file_atomically(file, "<topology>no</topology>\n");
    const Error error = thrown([&] { capture_hwloc(file); });
    CHECK(error.code() == Exit::usage);
    CHECK(says(error, "machine.xml: hwloc cannot read"));
}
