// SPDX-License-Identifier: GPL-2.0-or-later
// Several instances of a load side by side, each in a process of its own.
#pragma once

#include "loads/load.h"

namespace schedlab {

// What one process does: a load, with the hooks that it is given.
using Part = std::function<LoadResult(const LoadHooks &)>;

struct SideBySide {
    std::vector<LoadResult> results; // of each part, in their order
    std::int64_t elapsed_ns;         // from the common begin to the last end
};

// Runs each part in a process of its own; all begin to count at one instant, and `end` comes after the last.
SideBySide run_side_by_side(const std::string &load, const std::vector<Part> &parts, const LoadHooks &hooks);

// Runs `count` instances with the seeds `seed`, `seed` + 1 ...; all begin to count at one instant, and `end` comes
// after the last. Operations, counts and rates (unit ".../s") are added up; other metrics are means.
LoadResult run_instances(const Load &load, int count, const nlohmann::ordered_json &options, std::uint64_t seed,
                         const LoadHooks &hooks);

} // namespace schedlab
