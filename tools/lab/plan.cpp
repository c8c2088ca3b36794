// SPDX-License-Identifier: GPL-2.0-or-later
#include "lab/plan.h"

#include "sys/hash.h"

namespace schedlab {

using Json = nlohmann::ordered_json;

namespace {

// SplitMix64 (Steele, Lea, Flood 2014): well mixed even for seeds 1, 2, 3.
std::uint64_t mix(std::uint64_t seed) {
    std::uint64_t z = seed + 0x9e3779b97f4a7c15;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
}

// What the arguments of QEMU do not tell.
Json describe(const Machine &machine) {
    Json capacities = Json::array(), caches = Json::array();
    for (const CapacityEdit &edit : machine.capacities)
        capacities.push_back({edit.cpus.to_list(), edit.dmips_mhz});
    for (const CacheEdit &edit : machine.caches)
        caches.push_back({edit.level, edit.cpus.to_list()});
    return {{"name", machine.name}, {"arch", machine.arch}, {"capacities", capacities}, {"caches", caches}};
}

Cell make_cell(const PlanRequest &request, Side side, std::uint64_t seed) {
    const Arm &arm = side == Side::b ? request.arms->b : request.arms->a;
    Cell cell;
    cell.side = side;
    cell.kernel = arm.kernel.image;
    cell.job.load = request.load;
    cell.job.options = request.options;
    cell.job.probes = request.probes;
    cell.job.features = arm.features;
    cell.job.seed = seed;
    cell.job.start_delay_us = start_delay_us(seed);
    cell.identity = {{"kernel", arm.kernel.key},
                     {"machine", describe(*request.machine)},
                     {"qemu", request.apparatus.qemu_version},
                     {"qemu_arguments", request.apparatus.qemu_arguments},
                     {"guest", request.apparatus.guest_hash},
                     {"job", cell.job}};
    cell.id = sha256_hex(cell.identity.dump());
    cell.environment = arm.environment;
    return cell;
}

} // namespace

std::string_view to_string(Side side) {
    switch (side) {
    case Side::a: return "a";
    case Side::b: return "b";
    case Side::a_again: break;
    }
    return "a again";
}

std::uint64_t start_delay_us(std::uint64_t seed) { return mix(seed) % 20'000; }

std::vector<Cell> make_plan(const PlanRequest &request) {
    std::vector<Cell> plan;
    for (std::uint64_t seed = request.planned + 1; seed <= request.seeds; ++seed) {
        const std::uint64_t block = (seed - 1) / 2;
        const bool b_leads_block = mix(request.order_seed + block) & 1;
        const bool second_in_block = seed % 2 == 0; // runs in mirrored order: ABBA
        const bool b_first = b_leads_block != second_in_block;
        plan.push_back(make_cell(request, b_first ? Side::b : Side::a, seed));
        plan.push_back(make_cell(request, b_first ? Side::a : Side::b, seed));
    }
    if (request.noise_floor)
        for (std::uint64_t seed = request.planned + 1; seed <= request.seeds; ++seed)
            plan.push_back(make_cell(request, Side::a_again, seeds_again + seed));
    return plan;
}

} // namespace schedlab
