// SPDX-License-Identifier: GPL-2.0-or-later
#include "core/nearest.h"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace schedlab {

namespace {

char lower(char c) { return c >= 'A' && c <= 'Z' ? char(c - 'A' + 'a') : c; }

// Optimal string alignment distance: rows of the usual table, the last three kept.
std::size_t edit_distance(std::string_view a, std::string_view b) {
    std::vector<std::size_t> before(b.size() + 1), above(b.size() + 1), row(b.size() + 1);
    for (std::size_t j = 0; j <= b.size(); ++j)
        row[j] = j;
    for (std::size_t i = 1; i <= a.size(); ++i) {
        before.swap(above);
        above.swap(row);
        row[0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const bool same = lower(a[i - 1]) == lower(b[j - 1]);
            row[j] = std::min({above[j] + 1, row[j - 1] + 1, above[j - 1] + (same ? 0 : 1)});
            const bool swapped = i > 1 && j > 1 && lower(a[i - 1]) == lower(b[j - 2]) &&
                                 lower(a[i - 2]) == lower(b[j - 1]);
            if (swapped)
                row[j] = std::min(row[j], before[j - 2] + 1);
        }
    }
    return row[b.size()];
}

} // namespace

std::string nearest(std::string_view given, std::span<const std::string> names) {
    std::string best;
    std::size_t best_distance = SIZE_MAX;
    for (const std::string &name : names) {
        const std::size_t distance = edit_distance(given, name);
        const std::size_t allowed = std::max<std::size_t>(1, std::max(given.size(), name.size()) / 3);
        if (distance <= allowed && distance < best_distance) {
            best = name;
            best_distance = distance;
        }
    }
    return best;
}

} // namespace schedlab
