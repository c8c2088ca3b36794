// SPDX-License-Identifier: GPL-2.0-or-later
// Topology, domains and features as read from a tree that stands in for "/".
#include <catch2/catch_test_macros.hpp>
#include <fmt/format.h>

#include "saved_tree.h"
#include "sys/files.h"
#include "sys/sched_features.h"
#include "sys/topology_reader.h"
#include "thrown.h"

using namespace schedlab;
using test::says;
using test::thrown;
using test::Tree;
namespace fs = std::filesystem;

namespace {

std::vector<int> of(const Topology &topology, int CpuPlace::*field) {
    std::vector<int> values;
    for (const CpuPlace &place : topology.cpus)
        values.push_back(place.*field);
    return values;
}

using Ints = std::vector<int>;

} // namespace

TEST_CASE("threads, clusters, caches and nodes get the number of their first CPU", "[topology-reader]") {
    Tree tree; // two nodes of one L3 each, clusters of two CPUs, the first cluster one core of two threads
    tree.put("sys/devices/system/cpu/present", "0-7");
    tree.put("sys/devices/system/node/online", "0-1");
    tree.put("sys/devices/system/node/node0/cpulist", "0-3");
    tree.put("sys/devices/system/node/node1/cpulist", "4-7");
    for (int cpu = 0; cpu < 8; ++cpu) {
        const int node = cpu & ~3, pair = cpu & ~1;
        const std::string all = fmt::format("{}-{}", node, node + 3), both = fmt::format("{}-{}", pair, pair + 1);
        tree.put_cpu(cpu, cpu < 2 ? "0-1" : std::to_string(cpu), both, all, {{1, std::to_string(cpu)}, {2, both}, {3, all}});
    }
    const Topology t = read_topology(tree.root());
    CHECK(of(t, &CpuPlace::core) == Ints{0, 0, 2, 3, 4, 5, 6, 7});
    CHECK(of(t, &CpuPlace::cluster) == Ints{0, 0, 2, 2, 4, 4, 6, 6});
    CHECK(of(t, &CpuPlace::llc) == Ints{0, 0, 0, 0, 4, 4, 4, 4});
    CHECK(of(t, &CpuPlace::node) == Ints{0, 0, 0, 0, 1, 1, 1, 1});
    CHECK(of(t, &CpuPlace::capacity) == Ints(8, 1024));
}

TEST_CASE("a cluster that is the whole last-level cache is no level of its own", "[topology-reader]") {
    Tree tree;
    tree.put("sys/devices/system/cpu/present", "0-3");
    for (int cpu = 0; cpu < 4; ++cpu) {
        const std::string pair = cpu < 2 ? "0-1" : "2-3";
        tree.put_cpu(cpu, std::to_string(cpu), pair, "0-3", {{1, std::to_string(cpu)}, {2, pair}});
        tree.put(fmt::format("sys/devices/system/cpu/cpu{}/cpu_capacity", cpu), cpu < 2 ? "462" : "1024");
    }
    const Topology t = read_topology(tree.root());
    CHECK(of(t, &CpuPlace::cluster) == Ints{0, 1, 2, 3});
    CHECK(of(t, &CpuPlace::llc) == Ints{0, 0, 2, 2});
    CHECK(of(t, &CpuPlace::capacity) == Ints{462, 462, 1024, 1024});
    CHECK(t.distance(0, 1) == Distance::llc);
    CHECK(t.distance(1, 2) == Distance::node);
}

TEST_CASE("without caches the package stands in; an offline CPU stands alone", "[topology-reader]") {
    Tree tree;
    tree.put("sys/devices/system/cpu/present", "0-2");
    tree.put_cpu(0, "0", "0", "0-1", {});
    tree.put_cpu(1, "1", "1", "0-1", {});
    const Topology t = read_topology(tree.root());
    CHECK(of(t, &CpuPlace::llc) == Ints{0, 0, 2});
    CHECK(of(t, &CpuPlace::core) == Ints{0, 1, 2});
}

TEST_CASE("a system without CPUs in sysfs is an error", "[topology-reader]") {
    const Tree tree;
    CHECK(says(thrown([&] { read_topology(tree.root()); }), "sys/devices/system/cpu/present"));
}

TEST_CASE("domains have their spans from schedstat, in both of its formats", "[topology-reader]") {
    for (const bool named : {false, true}) {
        INFO("with names: " << named);
        Tree tree;
        const auto line = [named](int level, const char *name, const char *mask) {
            return fmt::format("domain{} {}{} 1 2 3\n", level, named ? std::string(name) + " " : "", mask);
        };
        tree.put("proc/schedstat", fmt::format("version {}\ntimestamp 4294937296\n", named ? 17 : 15) +
                                       "cpu0 0 0 0\n" + line(0, "MC", "0000000f") + line(1, "PKG", "000000ff") +
                                       "cpu40 0 0 0\n" + line(0, "PKG", "00000100,000000ff") + "cpu41 0 0 0\n");
        tree.put_domain(0, 0, "MC", "SD_WAKE_AFFINE SD_BALANCE_FORK ");
        tree.put_domain(0, 1, "PKG", "SD_PREFER_SIBLING ");
        tree.put_domain(40, 0, "PKG", "");
        const auto domains = read_domains(tree.root());
        REQUIRE(domains.size() == 3);
        REQUIRE(domains[0].levels.size() == 2);
        CHECK(domains[0].levels[0] == Domain{"MC", {"SD_BALANCE_FORK", "SD_WAKE_AFFINE"}, {0, 1, 2, 3}});
        CHECK(domains[0].levels[1].span == CpuSet::parse_list("0-7"));
        CHECK(domains[1].cpu == 40);
        CHECK(domains[1].levels.at(0).span == CpuSet::parse_list("0-7,40"));
        CHECK(domains[2].levels.empty());
    }
}

TEST_CASE("what keeps domains from being read is named", "[topology-reader]") {
    Tree tree;
    CHECK(says(thrown([&] { read_domains(tree.root()); }), "sys/kernel/debug/sched"));
    fs::create_directories(tree.root() / "sys/kernel/debug/sched");
    CHECK(says(thrown([&] { read_domains(tree.root()); }), "/proc/schedstat"));
    tree.put("proc/schedstat", "version 15\ncpu0 0\ndomain0 3 0\n");
    const Error silent = thrown([&] { read_domains(tree.root()); });
    CHECK(says(silent, "domains/cpu0/domain0"));
    CHECK(silent.remedy().find("sched_verbose") != std::string::npos);
    CHECK(silent.code() == Exit::environment);
}

TEST_CASE("scheduler features are read with their state", "[sched-features]") {
    Tree tree;
    tree.put("features", "PLACE_LAG NO_HRTICK ASYM_PREV");
    CHECK(read_sched_features(tree.root() / "features") ==
          std::map<std::string, bool>{{"ASYM_PREV", true}, {"HRTICK", false}, {"PLACE_LAG", true}});
}

TEST_CASE("a feature that is not there is named before anything is switched", "[sched-features]") {
    Tree tree;
    tree.put("features", "ASYM_PREV");
    const Error unknown = thrown([&] { switch_sched_features({{"ASYM_PREV", false}, {"NONESUCH", true}}, tree.root() / "features"); });
    CHECK(says(unknown, "NONESUCH"));
    CHECK(unknown.remedy().find("ASYM_PREV") != std::string::npos);
    CHECK(read_file(tree.root() / "features") == "ASYM_PREV\n");
    CHECK(says(thrown([&] { switch_sched_features({{"X", true}}, tree.root() / "none"); }), "no scheduler feature file"));
    CHECK_NOTHROW(switch_sched_features({}, tree.root() / "none"));
}

TEST_CASE("a switch that does not take is an error", "[sched-features]") {
    Tree tree; // a file is not debugfs: what was written overwrites the beginning, and another feature's name stays
    tree.put("features", "NO_ASYM_PREV HRTICK");
    CHECK_THROWS(switch_sched_features({{"HRTICK", false}}, tree.root() / "features"));
}
