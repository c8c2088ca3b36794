// SPDX-License-Identifier: GPL-2.0-or-later
// What a mistyped name probably meant.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace schedlab {

// The name that is fewest edits (insert, delete, replace, swap of neighbours; letter case is free) away
// from `given`, the first of equals; empty if none is near: more than a third of its letters would change.
std::string nearest(std::string_view given, std::span<const std::string> names);

} // namespace schedlab
