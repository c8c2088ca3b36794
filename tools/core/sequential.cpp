// SPDX-License-Identifier: GPL-2.0-or-later
#include "core/sequential.h"

#include <algorithm>

namespace schedlab {

double level_of_look(std::size_t look) { return usual_level / double(look * (look + 1)); }

std::size_t boots_after(std::size_t boots) { return boots + std::max<std::size_t>(2, boots / 4 * 2); }

bool settled(std::span<const Comparison> comparisons) {
    bool any = false;
    for (const Comparison &c : comparisons) {
        if (!c.primary)
            continue;
        const bool changed_neither_way = !c.verdict && c.moved;
        if (!changed_neither_way && c.verdict.value_or(Verdict::unknown) == Verdict::unknown)
            return false;
        any = true;
    }
    return any;
}

} // namespace schedlab
