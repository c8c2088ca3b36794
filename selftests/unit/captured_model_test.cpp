// SPDX-License-Identifier: GPL-2.0-or-later
// Saved machines → a model's text → the model: its numbering, its domains, what it says it left out.
#include <catch2/catch_test_macros.hpp>
#include <fmt/format.h>

#include "core/captured_model.h"
#include "core/machine.h"
#include "saved_tree.h"
#include "sys/capture.h"
#include "thrown.h"

using namespace schedlab;
using test::says;
using test::thrown;
using test::Tree;

namespace {

// "MC 0-3" for each level of each group of CPUs, lowest first.
std::vector<std::string> levels_of(const Machine &machine) {
    std::vector<std::string> texts;
    for (const ExpectedDomain &domain : machine.domains)
        for (const ExpectedSpan &span : domain.spans)
            texts.push_back(fmt::format("{} {}{}", domain.names.front(), span.span.to_list(),
                                        span.cpus == span.span ? "" : " of " + span.cpus.to_list()));
    return texts;
}

std::vector<std::string> lists(const std::vector<CpuSet> &sets) {
    std::vector<std::string> texts;
    for (const CpuSet &set : sets)
        texts.push_back(set.to_list());
    return texts;
}

using Texts = std::vector<std::string>;

Machine model_of(const Tree &tree) {
    const std::string text = model_text(capture_machine(tree.root()));
    INFO(text);
    return parse_machine(text, "captured", "captured.conf");
}

void begin(Tree &tree, const std::string &present, const std::string &online) {
    tree.put("proc/sys/kernel/osrelease", "6.8.0-test");
    tree.put("sys/devices/system/cpu/present", present);
    tree.put("sys/devices/system/cpu/online", online);
}

// Two fast cores of two threads with an L2 each, four slow ones that share an L2; one L3. As a hybrid laptop.
Tree hybrid() {
    Tree tree;
    begin(tree, "0-7", "0-7");
    tree.put("proc/cpuinfo", "processor\t: 0\nmodel name\t: Example Hybrid\nflags\t: fpu\n");
    for (int cpu = 0; cpu < 8; ++cpu) {
        const std::string own = cpu < 2 ? "0-1" : cpu < 4 ? "2-3" : std::to_string(cpu);
        const std::string l2 = cpu < 4 ? own : "4-7";
        tree.put_cpu(cpu, own, l2, "0-7", {{1, own}, {2, l2}, {3, "0-7"}});
        tree.put(fmt::format("sys/devices/system/cpu/cpu{}/cpu_capacity", cpu), cpu < 4 ? "1024" : "571");
    }
    return tree;
}

} // namespace

TEST_CASE("a hybrid machine keeps its threads, clusters and capacities", "[capture]") {
    const Tree tree = hybrid();
    const Machine model = model_of(tree);
    CHECK(model.arch == "arm64");
    CHECK(model.cpus == 8);
    CHECK(levels_of(model) == Texts{"SMT 0-1", "SMT 2-3", "CLS 4-7", "MC 0-7"});
    CHECK(lists(model.cpu_map.cores) == Texts{"0-1", "2-3", "4", "5", "6", "7"});
    CHECK(lists(model.cpu_map.clusters) == Texts{"4-7"});
    CHECK(model.cpu_capacity == std::vector<int>{1024, 1024, 1024, 1024, 571, 571, 571, 571});
    CHECK(model_text(capture_machine(tree.root())).starts_with("# Captured from Example Hybrid, Linux 6.8.0-test.\n"));
}

TEST_CASE("CPUs with holes and offline CPUs are numbered anew, and the model says how", "[capture]") {
    Tree tree; // CPUs 4 to 7 are absent; 1 and 9 are offline
    begin(tree, "0-3,8-11", "0,2-3,8,10-11");
    for (int cpu : {0, 2, 3, 8, 10, 11}) {
        const std::string all = cpu < 4 ? "0,2-3" : "8,10-11";
        tree.put_cpu(cpu, std::to_string(cpu), std::to_string(cpu), all, {{3, all}});
    }
    const Machine model = model_of(tree);
    CHECK(model.cpus == 6);
    CHECK(levels_of(model) == Texts{"MC 0-2", "MC 3-5", "PKG 0-5"});
    CHECK(lists(model.cpu_map.packages) == Texts{"0-2", "3-5"});
    CHECK(model_text(capture_machine(tree.root())).find("# CPUs 0-5 are there the CPUs 0,2-3,8,10-11, in this order.\n") != std::string::npos);
}

TEST_CASE("nodes at several distances make several levels", "[capture]") {
    Tree tree;
    begin(tree, "0-7", "0-7");
    tree.put("sys/devices/system/node/online", "0-3");
    const std::string distances[] = {"10 12 20 22", "12 10 22 24", "20 22 10 12", "22 24 12 10"};
    for (int node = 0; node < 4; ++node) {
        const std::string cpus = fmt::format("{}-{}", 2 * node, 2 * node + 1);
        tree.put(fmt::format("sys/devices/system/node/node{}/cpulist", node), cpus);
        tree.put(fmt::format("sys/devices/system/node/node{}/distance", node), distances[node]);
        for (int cpu : {2 * node, 2 * node + 1})
            tree.put_cpu(cpu, std::to_string(cpu), std::to_string(cpu), cpu < 4 ? "0-3" : "4-7", {{3, cpus}});
    }
    const Machine model = model_of(tree);
    CHECK(levels_of(model) == Texts{"MC 0-1", "MC 2-3", "MC 4-5", "MC 6-7", "NUMA 0-3", "NUMA 4-7", "NUMA 0-5 of 0-3",
                                    "NUMA 0-1,4-7 of 4-7", "NUMA 0-7"});
    CHECK(std::ranges::count(model.qemu_args, "dist,src=1,dst=3,val=24") == 1);
}

TEST_CASE("a cache that reaches over nodes ends at the node", "[capture]") {
    Tree tree;
    begin(tree, "0-3", "0-3");
    tree.put("sys/devices/system/node/online", "0-1");
    tree.put("sys/devices/system/node/node0/cpulist", "0-1");
    tree.put("sys/devices/system/node/node1/cpulist", "2-3");
    for (int cpu = 0; cpu < 4; ++cpu)
        tree.put_cpu(cpu, std::to_string(cpu), std::to_string(cpu), "0-3", {{3, "0-3"}});
    CHECK(levels_of(model_of(tree)) == Texts{"MC 0-1", "MC 2-3", "NUMA 0-3"});
}

TEST_CASE("isolated CPUs have no domain and are in nobody's", "[capture]") {
    Tree tree = hybrid();
    tree.put("sys/devices/system/cpu/isolated", "3,6-7");
    const Machine model = model_of(tree);
    CHECK(model.command_line == "isolcpus=3,6-7");
    CHECK(levels_of(model) == Texts{"SMT 0-1", "CLS 4-5", "MC 0-2,4-5"});
}

TEST_CASE("domains of several roots are told beside those of the whole machine", "[capture]") {
    Tree tree; // a cpuset partition has taken CPUs 2 and 3 apart
    begin(tree, "0-3", "0-3");
    for (int cpu = 0; cpu < 4; ++cpu) {
        tree.put_cpu(cpu, std::to_string(cpu), std::to_string(cpu), "0-3", {{3, "0-3"}});
        tree.put_domain(cpu, 0, "MC", "");
    }
    tree.put("proc/schedstat", "version 15\ncpu0 0\ndomain0 3 0\ncpu1 0\ndomain0 3 0\ncpu2 0\ndomain0 c 0\ncpu3 0\ndomain0 c 0\n");
    const std::string text = model_text(capture_machine(tree.root()));
    CHECK(text.find("# The captured kernel had other domains for CPUs 0-1: 0-1\n") != std::string::npos);
    CHECK(text.find("# The captured kernel had other domains for CPUs 2-3: 2-3\n") != std::string::npos);
    CHECK(levels_of(parse_machine(text, "m", "m.conf")) == Texts{"MC 0-3"});
}

TEST_CASE("a machine that no model can hold is refused", "[capture]") {
    CapturedMachine huge;
    for (int cpu = 0; cpu < 513; ++cpu)
        huge.topology.cpus.push_back({cpu, cpu, cpu, 0, 0, 1024});
    CHECK(says(thrown([&] { model_text(huge); }), "513 CPUs"));
}
