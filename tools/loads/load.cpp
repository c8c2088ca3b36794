// SPDX-License-Identifier: GPL-2.0-or-later
#include "loads/load.h"

#include <algorithm>

#include "core/error.h"
#include "loads/pipe.h"

namespace schedlab {

std::span<const Load> all_loads() {
    static const Load loads[] = {pipe_load()};
    return loads;
}

const Load &find_load(std::string_view name) {
    const std::span<const Load> loads = all_loads();
    const auto found = std::ranges::find(loads, name, &Load::name);
    if (found != loads.end())
        return *found;
    std::string known;
    for (const Load &load : loads)
        known += (known.empty() ? "" : ", ") + std::string(load.name);
    throw usage_error("unknown load '" + std::string(name) + "'", "loads: " + known);
}

} // namespace schedlab
