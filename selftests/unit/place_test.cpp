// SPDX-License-Identifier: GPL-2.0-or-later
#include "core/place.h"

#include <catch2/catch_test_macros.hpp>

#include "thrown.h"

using namespace schedlab;
using test::says;
using test::thrown;

namespace {

// Two nodes, 0 and 2, of four CPUs; clusters of two within each; the second node's CPUs are big.
Topology clustered() {
    Topology topology;
    for (int cpu = 0; cpu < 8; ++cpu)
        topology.cpus.push_back({cpu, cpu, cpu & ~1, cpu & ~3, cpu < 4 ? 0 : 2, cpu < 4 ? 462 : 1024});
    return topology;
}

// Four equal CPUs under one cache.
Topology plain() {
    Topology topology;
    for (int cpu = 0; cpu < 4; ++cpu)
        topology.cpus.push_back({cpu, cpu, cpu, 0, 0, 1024});
    return topology;
}

std::string at(const char *place) { return cpus_at(clustered(), place).to_list(); }
Error refusal(const Topology &topology, const char *place) {
    return thrown([&] { cpus_at(topology, place); });
}

} // namespace

TEST_CASE("place: groups are counted, nodes are numbered", "[place]") {
    CHECK(at("node:0") == "0-3");
    CHECK(at("node:2") == "4-7");
    CHECK(at("llc:1") == "4-7");
    CHECK(at("cluster:0") == "0-1");
    CHECK(at("cluster:3") == "6-7");
    CHECK(at("core:5") == "5");
    CHECK(at("big") == "4-7");
    CHECK(at("little") == "0-3");
}

TEST_CASE("place: pieces are united, and CPU lists are places", "[place]") {
    CHECK(at("") == "");
    CHECK(at("2-3,7") == "2-3,7");
    CHECK(at("cluster:3,0,llc:0") == "0-3,6-7");
}

TEST_CASE("place: what is not there is refused with what is", "[place]") {
    CHECK(says(refusal(clustered(), "node:1"), "no node:1 here: there are node 0,2"));
    CHECK(says(refusal(clustered(), "cluster:4"), "no cluster:4 here: there are 4, counted from 0"));
    CHECK(says(refusal(plain(), "cluster:0"), "no clusters here"));
    CHECK(says(refusal(plain(), "big"), "no big CPUs"));
    CHECK(says(refusal(plain(), "llc:1"), "there is 1"));
}

TEST_CASE("place: what names no place is refused without a machine", "[place]") {
    CHECK_NOTHROW(check_place("node:7,big,0-3"));
    for (const char *wrong : {"node", "node:", "node:-1", "node:1x", "socket:0", "3-", "bigger", "0,node:0:1"})
        CHECK(says(thrown([&] { check_place(wrong); }), "is no place"));
}
