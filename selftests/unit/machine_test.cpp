// SPDX-License-Identifier: GPL-2.0-or-later
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include "faulty_model.h"

using namespace schedlab;
using test::complaint;
using Catch::Matchers::ContainsSubstring;

namespace {

const std::string model = R"(
summary = "2 little + 2 big"
arch = "arm64"
cpus = 4
memory = 256
qemu = ["-M virt,gic-version=3", "-cpu cortex-a57", "-smp 4,clusters=2"]
command-line = "numa_balancing=disable"
cpu-capacity = { "2-3" = 1024, "0-1" = 462 }

[device-tree]
capacity-dmips-mhz = { "0-1" = 462, "2-3" = 1024 }
l2 = ["0-1", "2-3"]
l3 = ["0-3"]

[[domain]]
name = "MC"
spans = ["0-1", "2-3"]
flags = ["SD_SHARE_LLC|SD_SHARE_PKG_RESOURCES"]
absent-flags = ["SD_ASYM_CPUCAPACITY"]

[[domain]]
name = "PKG|DIE"
spans = ["0-3"]
flags = ["SD_ASYM_CPUCAPACITY"]
)";

std::string replaced(const std::string &from, const std::string &to) { return test::replaced(model, from, to); }

// What a kernel that fits the model builds.
Topology true_topology() {
    Topology topology;
    for (int cpu = 0; cpu < 4; ++cpu)
        topology.cpus.push_back({cpu, cpu, cpu, cpu & ~1, 0, cpu < 2 ? 462 : 1024});
    return topology;
}

std::vector<CpuDomains> true_domains() {
    std::vector<CpuDomains> domains;
    for (int cpu = 0; cpu < 4; ++cpu)
        domains.push_back({cpu,
                           {{"MC", {"SD_SHARE_LLC"}, cpu < 2 ? CpuSet{0, 1} : CpuSet{2, 3}},
                            {"DIE", {"SD_ASYM_CPUCAPACITY"}, {0, 1, 2, 3}}}});
    return domains;
}

using Lines = std::vector<std::string>;

} // namespace

TEST_CASE("a model is read whole", "[machine]") {
    const Machine m = parse_machine(model, "m", "m.conf");
    CHECK(m.name == "m");
    CHECK(m.arch == "arm64");
    CHECK(m.cpus == 4);
    CHECK(m.memory_mib == 256);
    CHECK(m.qemu_args == Lines{"-M", "virt,gic-version=3", "-cpu", "cortex-a57", "-smp", "4,clusters=2"});
    CHECK(m.command_line == "numa_balancing=disable");
    CHECK(m.cpu_capacity == std::vector{462, 462, 1024, 1024});
    REQUIRE(m.capacities.size() == 2);
    CHECK(m.capacities[1].cpus == CpuSet{2, 3});
    CHECK(m.capacities[1].dmips_mhz == 1024);
    REQUIRE(m.caches.size() == 3);
    CHECK(m.caches[2].level == 3);
    CHECK(m.caches[2].cpus == CpuSet{0, 1, 2, 3});
    REQUIRE(m.domains.size() == 2);
    CHECK(m.domains[1].names == Lines{"PKG", "DIE"});
    CHECK(m.domains[0].flags == std::vector<Lines>{Lines{"SD_SHARE_LLC", "SD_SHARE_PKG_RESOURCES"}});
    CHECK(m.domains[0].absent_flags == std::vector<Lines>{Lines{"SD_ASYM_CPUCAPACITY"}});
}

TEST_CASE("a list stands for groups of CPUs, a table for spans that overlap", "[machine]") {
    const Machine m = parse_machine(replaced("l2 = [\"0-1\", \"2-3\"]", "l2 = [\"0-3/1\"]"), "m", "m.conf");
    REQUIRE(m.caches.size() == 5);
    CHECK(m.caches[3].cpus == CpuSet{3});

    const Machine n = parse_machine(replaced("spans = [\"0-3\"]", "spans = { \"0-1\" = \"0-2\", \"2-3\" = \"1-3\" }"),
                                    "n", "n.conf");
    REQUIRE(n.domains[1].spans.size() == 2);
    CHECK(n.domains[1].spans[0].cpus == CpuSet{0, 1});
    CHECK(n.domains[1].spans[0].span == CpuSet{0, 1, 2});
    auto domains = true_domains();
    for (CpuDomains &cpu : domains)
        cpu.levels[1].span = cpu.cpu < 2 ? CpuSet{0, 1, 2} : CpuSet{1, 2, 3};
    CHECK(truth_check(n, true_topology(), domains) == Lines{});
    CHECK(truth_check(n, true_topology(), true_domains()).size() == 2);
}

TEST_CASE("a faulty model is refused with line, key and reason", "[machine]") {
    CHECK_THAT(complaint("cpus = \n"), ContainsSubstring("m.conf:1:"));
    CHECK_THAT(complaint(replaced("cpus = 4\n", "")), ContainsSubstring("'cpus' is missing"));
    CHECK_THAT(complaint(replaced("cpus = 4", "cpus = 0")), ContainsSubstring("m.conf:4: 'cpus' is 0"));
    CHECK_THAT(complaint(replaced("cpus = 4", "cpus = \"4\"")), ContainsSubstring("'cpus' is not a whole number"));
    for (const std::string broken : {"[\n", "[[\n", "[ #\n", "[a.\n"}) // which toml++ itself would end the program for
        CHECK_THAT(complaint(broken), ContainsSubstring("m.conf:1:"));
    CHECK_THAT(complaint(replaced("\"arm64\"", "\"mips\"")), ContainsSubstring("arm64 or x86_64"));
    CHECK_THAT(complaint(replaced("\"arm64\"", "\"x86_64\"")), ContainsSubstring("device tree"));
    CHECK_THAT(complaint(replaced("memory", "memroy")), ContainsSubstring("'memory' is missing"));
    CHECK_THAT(complaint(replaced("command-line", "comand-line")), ContainsSubstring("'comand-line' is not a key"));
    CHECK_THAT(complaint(replaced("\"-cpu cortex-a57\"", "\"-icount shift=1\"")), ContainsSubstring("-icount"));
    CHECK_THAT(complaint(replaced("\"-cpu cortex-a57\"", "\"cortex-a57\"")), ContainsSubstring("no option"));
    CHECK_THAT(complaint(replaced("spans = [\"0-3\"]", "spans = [\"0-4\"]")), ContainsSubstring("names CPU 4"));
    CHECK_THAT(complaint(replaced("spans = [\"0-3\"]", "spans = [\"3-0\"]")), ContainsSubstring("'domain.spans'"));
    CHECK_THAT(complaint(replaced("spans = [\"0-3\"]", "spans = []")), ContainsSubstring("'domain.spans' is missing"));
    CHECK_THAT(complaint(replaced("spans = [\"0-3\"]", "spans = [\"0-3/3\"]")), ContainsSubstring("'0-3/3'"));
    CHECK_THAT(complaint(replaced("spans = [\"0-3\"]", "spans = { \"0-1\" = \"2-3\" }")),
               ContainsSubstring("leaves CPU 0 out of its own span"));
    CHECK_THAT(complaint(replaced("spans = [\"0-3\"]", "spans = { \"0-1\" = \"0-3\", \"1-3\" = \"0-3\" }")),
               ContainsSubstring("names CPU 1 twice"));
    CHECK_THAT(complaint(replaced("l2 = [\"0-1\", \"2-3\"]", "l2 = [\"0-1\", \"1-3\"]")),
               ContainsSubstring("'device-tree.l2' names CPU 1 twice"));
    CHECK_THAT(complaint(replaced("\"2-3\" = 1024, \"0-1\" = 462", "\"2-3\" = 1024")),
               ContainsSubstring("'cpu-capacity' says nothing of CPU 0"));
    CHECK_THAT(complaint(replaced("[[domain]]\nname = \"MC\"", "[domain]\nname = \"MC\"")), ContainsSubstring("m.conf:"));
}

TEST_CASE("a true machine passes the truth check, under either name of a level", "[machine]") {
    const Machine m = parse_machine(model, "m", "m.conf");
    auto domains = true_domains();
    CHECK(truth_check(m, true_topology(), domains) == Lines{});
    for (CpuDomains &cpu : domains)
        cpu.levels[1].name = "PKG";
    CHECK(truth_check(m, true_topology(), domains) == Lines{});
}

TEST_CASE("the truth check tells each difference, equal CPUs in one line", "[machine]") {
    const Machine m = parse_machine(model, "m", "m.conf");
    auto topology = true_topology();
    auto domains = true_domains();

    SECTION("another span") {
        domains[3].levels[0].span = {0, 1, 2, 3};
        CHECK(truth_check(m, topology, domains) ==
              Lines{"cpu 3: expected MC 2-3, PKG|DIE 0-3, found MC 0-3, DIE 0-3"});
    }
    SECTION("a level that is not there") {
        domains[0].levels.erase(domains[0].levels.begin());
        domains[1].levels.erase(domains[1].levels.begin());
        CHECK(truth_check(m, topology, domains) == Lines{"cpus 0-1: expected MC 0-1, PKG|DIE 0-3, found DIE 0-3"});
    }
    SECTION("no domains at all") {
        CHECK(truth_check(m, topology, {}).at(0) == "cpus 0-1: expected MC 0-1, PKG|DIE 0-3, found no domain");
    }
    SECTION("a level too many") {
        domains[2].levels.push_back({"NUMA", {}, {0, 1, 2, 3}});
        CHECK(truth_check(m, topology, domains) ==
              Lines{"cpu 2: expected MC 2-3, PKG|DIE 0-3, found MC 2-3, DIE 0-3, NUMA 0-3"});
    }
    SECTION("a flag that is missing, and one that should be") {
        for (CpuDomains &cpu : domains) {
            cpu.levels[0].flags = {"SD_ASYM_CPUCAPACITY", "SD_SHARE_PKG_RESOURCES"};
            cpu.levels[1].flags = {"SD_SERIALIZE"};
        }
        CHECK(truth_check(m, topology, domains) ==
              Lines{"cpus 0-3: MC has SD_ASYM_CPUCAPACITY, which it should not",
                    "cpus 0-3: DIE lacks SD_ASYM_CPUCAPACITY, it has SD_SERIALIZE"});
    }
    SECTION("other capacities") {
        topology.cpus[1].capacity = 1024;
        CHECK(truth_check(m, topology, domains) == Lines{"cpu 1: expected cpu_capacity 462, found 1024"});
    }
    SECTION("other CPUs") {
        topology.cpus.pop_back();
        CHECK(truth_check(m, topology, domains) == Lines{"expected CPUs 0-3, found 0-2"});
    }
}
