// SPDX-License-Identifier: GPL-2.0-or-later
#include "core/topology.h"

#include <catch2/catch_test_macros.hpp>
#include <nlohmann/json.hpp>

#include "thrown.h"

using namespace schedlab;
using test::says;
using test::thrown;
using Json = nlohmann::ordered_json;

namespace {

// Two nodes of one last-level cache each, of two clusters of two cores of two threads: CPUs 0-15.
Topology deep() {
    Topology topology;
    for (int cpu = 0; cpu < 16; ++cpu)
        topology.cpus.push_back({cpu, cpu / 2 * 2, cpu / 4 * 4, cpu / 8 * 8, cpu / 8, 1024});
    return topology;
}

// hikey960: two clusters of four, each with a last-level cache of its own, little ones first; no CPU 2.
Topology hikey_with_hole() {
    Topology topology;
    for (int cpu : {0, 1, 3, 4, 5, 6, 7})
        topology.cpus.push_back({cpu, cpu, cpu / 4 * 4, cpu / 4 * 4, 0, cpu < 4 ? 462 : 1024});
    return topology;
}

} // namespace

TEST_CASE("topology: distance is the smallest thing shared", "[topology]") {
    const Topology topology = deep();
    CHECK(topology.distance(0, 0) == Distance::same);
    CHECK(topology.distance(0, 1) == Distance::smt);
    CHECK(topology.distance(0, 2) == Distance::cluster);
    CHECK(topology.distance(1, 4) == Distance::llc);
    CHECK(topology.distance(0, 8) == Distance::remote);
    CHECK_FALSE(topology.asymmetric());

    const Topology hikey = hikey_with_hole();
    CHECK(hikey.distance(0, 3) == Distance::cluster);
    CHECK(hikey.distance(3, 4) == Distance::node);
    CHECK(hikey.asymmetric());
}

TEST_CASE("topology: distance is symmetric", "[topology]") {
    const Topology topology = deep();
    for (int a = 0; a < 16; ++a)
        for (int b = 0; b < 16; ++b)
            CHECK(topology.distance(a, b) == topology.distance(b, a));
}

TEST_CASE("topology: a CPU that is not there is remote from all, itself too", "[topology]") {
    const Topology hikey = hikey_with_hole();
    CHECK(hikey.find(2) == nullptr);
    CHECK(hikey.find(8) == nullptr);
    CHECK(hikey.find(3)->cpu == 3);
    CHECK(hikey.distance(2, 2) == Distance::remote);
    CHECK(hikey.distance(0, 2) == Distance::remote);
    CHECK_FALSE(Topology().asymmetric());
}

TEST_CASE("topology: distances have the names of the metrics", "[topology]") {
    std::string names;
    for (int d = 0; d < distance_count; ++d)
        names += std::string(to_string(Distance(d))) + " ";
    CHECK(names == "same smt cluster llc node remote ");
}

TEST_CASE("topology: JSON reads back", "[topology]") {
    const Json json = hikey_with_hole();
    CHECK(json["cpus"][0].dump() == R"({"cpu":0,"core":0,"cluster":0,"llc":0,"node":0,"capacity":462})");
    const Topology read = json.get<Topology>();
    CHECK(Json(read) == json);
    CHECK(read.cpus.size() == 7);
}

TEST_CASE("topology: JSON of a wrong shape is refused by name", "[topology]") {
    const auto refusal = [](const char *text) { return thrown([&] { Json::parse(text).get<Topology>(); }); };
    CHECK(says(refusal("[]"), "topology must be a JSON object"));
    CHECK(says(refusal("{}"), "'cpus' is missing"));
    CHECK(says(refusal(R"({"cpus":3})"), "topology.cpus must be a JSON array, not 3"));
    CHECK(says(refusal(R"({"cpus":[7]})"), "topology.cpus[0] must be a JSON object, not 7"));
    CHECK(says(refusal(R"({"cpus":[{"cpu":-1}]})"), "topology.cpus[0]: 'cpu' must be an integer from 0"));
    CHECK(says(refusal(R"({"cpus":[{"cpu":0,"core":"a"}]})"), "'core' must be an integer"));
    Json twice = hikey_with_hole();
    twice["cpus"][1]["cpu"] = 0;
    CHECK(says(thrown([&] { twice.get<Topology>(); }), "topology.cpus[1]: 'cpu' is out of order"));
}

TEST_CASE("topology: domains read back, flags sorted", "[topology]") {
    const std::vector<CpuDomains> domains = {
        {0,
         {{"MC", {"SD_BALANCE_WAKE", "SD_SHARE_LLC"}, {0, 1, 2, 3}},
          {"PKG", {"SD_ASYM_CPUCAPACITY"}, CpuSet::parse_list("0-7")}}},
        {9, {}}};
    Json json = domains;
    CHECK(json[0]["levels"][1]["span"] == "0-7");
    json[0]["levels"][0]["flags"] = {"SD_SHARE_LLC", "SD_BALANCE_WAKE"};
    const auto read = json.get<std::vector<CpuDomains>>();
    REQUIRE(read.size() == 2);
    CHECK(read[0].levels == domains[0].levels);
    CHECK(read[1].cpu == 9);
    CHECK(read[1].levels.empty());
}

TEST_CASE("topology: domains of a wrong shape are refused by name", "[topology]") {
    const auto refusal = [](const char *text) {
        return thrown([&] { Json::parse(text).get<std::vector<CpuDomains>>(); });
    };
    CHECK(says(refusal("{}"), "domains must be a JSON array"));
    CHECK(says(refusal(R"([{"cpu":0}])"), "domains[0]: 'levels' is missing"));
    CHECK(says(refusal(R"([{"cpu":0,"levels":[{"name":"MC","flags":[1],"span":"0"}]}])"),
               "domains[0].levels[0]: 'flags' must be an array of strings"));
    CHECK(says(refusal(R"([{"cpu":0,"levels":[{"name":"MC","flags":[],"span":"0-"}]}])"),
               "'span' is wrong: '0-'"));
}
