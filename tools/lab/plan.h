// SPDX-License-Identifier: GPL-2.0-or-later
// A plan: the runs that a comparison needs, each a cell that stands for itself and is done once.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "core/job.h"
#include "core/machine.h"
#include "lab/arms.h"

namespace schedlab {

enum class Side { a, b, a_again }; // a_again: arm a with other seeds, for the noise floor
std::string_view to_string(Side);  // "a", "b", "a again"

struct Cell {
    Side side = Side::a;
    std::filesystem::path kernel;
    Job job;
    nlohmann::ordered_json identity; // all that the outcome depends on
    std::string id;                  // sha256 of the identity
    nlohmann::ordered_json environment; // what else is known of the run before it is made
};

// What runs the boots: part of what their outcome depends on.
struct Apparatus {
    std::string qemu_version;
    std::vector<std::string> qemu_arguments; // without the boot's own files
    std::string guest_hash;                  // sha256 of the guest program
};

struct PlanRequest {
    const Machine *machine = nullptr;
    const Arms *arms = nullptr;
    std::string load;
    nlohmann::ordered_json options;    // of the load, complete
    std::vector<std::string> probes;
    std::uint64_t seeds = 5;           // 1 .. seeds in both arms
    std::uint64_t planned = 0;         // of these, so many are in another plan already
    std::uint64_t order_seed = 1;      // of the order of the blocks
    bool noise_floor = false;          // also arm a with other seeds
    Apparatus apparatus;
};

// Cells in the order they are to run: blocks of two seeds, each ABBA or BAAB as order_seed throws the dice; an odd
// last seed makes a block of AB or BA. In emulation the order cannot matter; on hardware it keeps drift out.
std::vector<Cell> make_plan(const PlanRequest &request);

// Seeds of arm a again: these more than those of the arms, of which there are never so many.
inline constexpr std::uint64_t seeds_again = 1'000'000;

// Idle time before the load, drawn from the seed: 0 to 19999 us, so several scheduler ticks of 4 ms.
std::uint64_t start_delay_us(std::uint64_t seed);

} // namespace schedlab
