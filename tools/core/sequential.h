// SPDX-License-Identifier: GPL-2.0-or-later
// A comparison that is looked at while boots are added, and ends when it is settled. Every look has a level of its own,
// and all levels together are `usual_level`: so the chance that any look claims a change that is not there, and the
// chance that any interval misses the true change, stay below it, however many looks there are.
#pragma once

#include <cstddef>
#include <span>

#include "core/compare.h"

namespace schedlab {

// Of look 1, 2, 3, ...: usual_level / (look (look + 1)), that is 1/2, 1/6, 1/12, ... of it. The sum of all is 1.
double level_of_look(std::size_t look);

// Boots per arm at the first look, and at the one after a look at `boots`: half as many again, in whole blocks of two.
inline constexpr std::size_t first_look = 6;
std::size_t boots_after(std::size_t boots);

// Every primary metric is better, worse or the same, and there is one.
bool settled(std::span<const Comparison> comparisons);

} // namespace schedlab
