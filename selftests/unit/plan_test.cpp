// SPDX-License-Identifier: GPL-2.0-or-later
// Which boots a comparison makes, in which order, and what tells them apart.
#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <set>

#include "lab/plan.h"

using namespace schedlab;

namespace {

std::vector<std::string> order(std::span<const Cell> plan) {
    std::vector<std::string> names;
    for (const Cell &cell : plan)
        names.push_back(std::string(to_string(cell.side)) + std::to_string(cell.job.seed));
    return names;
}

} // namespace

TEST_CASE("a plan has each arm once per seed, in blocks of ABBA or BAAB", "[lab]") {
    const Arms arms;
    const Machine machine;
    PlanRequest request;
    request.machine = &machine;
    request.arms = &arms;
    request.seeds = 41;
    const std::vector<Cell> plan = make_plan(request);
    const std::vector<std::string> names = order(plan);
    CHECK(std::set<std::string>(names.begin(), names.end()).size() == 82);
    std::set<std::string> patterns;
    for (std::size_t i = 0; i + 3 < names.size(); i += 4)
        patterns.insert({names[i][0], names[i + 1][0], names[i + 2][0], names[i + 3][0]});
    CHECK(patterns == std::set<std::string>{"abba", "baab"});
    CHECK(order(make_plan(request)) == names); // the order is a function of its seed
    // The rest of a plan is what stands in the whole one.
    request.planned = 20;
    CHECK(order(make_plan(request)) == std::vector<std::string>(names.begin() + 40, names.end()));
    request.planned = 0;
    request.order_seed = 2;
    CHECK(order(make_plan(request)) != names);
}

TEST_CASE("a cell's id changes with all that its outcome depends on", "[lab]") {
    Arms arms;
    arms.a.kernel.key = "k";
    Machine machine;
    PlanRequest request;
    request.machine = &machine;
    request.arms = &arms;
    request.seeds = 1;
    std::set<std::string> ids;
    const auto another = [&] {
        const auto plan = make_plan(request);
        return ids.insert(std::ranges::find(plan, Side::a, &Cell::side)->id).second;
    };
    CHECK(another());
    CHECK_FALSE(another());
    arms.a.kernel.key = "l";
    CHECK(another());
    arms.a.features["F"] = true;
    CHECK(another());
    machine.capacities.push_back({CpuSet{0, 1}, 592});
    CHECK(another());
    request.options = {{"loops", 5}};
    CHECK(another());
    request.probes = {"placement"};
    CHECK(another());
    request.apparatus.guest_hash = "g";
    CHECK(another());
    request.apparatus.qemu_version = "10.0.2";
    CHECK(another());
    request.apparatus.qemu_arguments = {"-icount"};
    CHECK(another());
}
