// SPDX-License-Identifier: GPL-2.0-or-later
// One frame of load `frames`, as it was: the rows under the load's table.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>

namespace schedlab {

struct FrameTimes {
    std::string part;         // which of several instances, or of a mix's sections; empty where there is one
    std::int64_t number = 0;  // from 1
    std::int64_t vsync_ns = 0, start_ns = 0, drawn_ns = 0, completed_ns = 0; // from the load's first vsync on
    bool operator==(const FrameTimes &) const = default;
};

// A row: [part, number, vsync, start, drawn, completed].
void to_json(nlohmann::ordered_json &, const FrameTimes &);
void from_json(const nlohmann::ordered_json &, FrameTimes &);

} // namespace schedlab
