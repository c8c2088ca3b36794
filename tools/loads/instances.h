// SPDX-License-Identifier: GPL-2.0-or-later
// Several instances of a load side by side, each in a process of its own.
#pragma once

#include "loads/load.h"

namespace schedlab {

// Runs `count` instances with the seeds `seed`, `seed` + 1 ...; all begin to count at one instant, and `end` comes
// after the last. Operations, counts and rates (unit ".../s") are added up; other metrics are means.
LoadResult run_instances(const Load &load, int count, const nlohmann::ordered_json &options, std::uint64_t seed,
                         const LoadHooks &hooks);

} // namespace schedlab
