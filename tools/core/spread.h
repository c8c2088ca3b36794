// SPDX-License-Identifier: GPL-2.0-or-later
// How CPU-bound tasks are spread over cores, from what each saw of its own place.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace schedlab {

struct Stay {
    std::int64_t since_ns; // from then on the task is on `core`
    int core;
};

struct Spread {
    std::int64_t settled_ns; // when for the first time no two shared a core while another had none, or `end_ns`
    std::int64_t shared_ns;  // how long two did
};

// `tasks`: each one's stays, oldest first, from `start_ns` on. All of them may use the same `cores` cores.
Spread spread_of(std::span<const std::vector<Stay>> tasks, std::size_t cores, std::int64_t start_ns,
                 std::int64_t end_ns);

// Jain's index of fairness (1984): 1 if all shares are equal, 1/n if one of n has all.
double fairness(std::span<const double> shares);

} // namespace schedlab
