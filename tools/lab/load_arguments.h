// SPDX-License-Identifier: GPL-2.0-or-later
// Options of a load that stand for others: presets, and files, which a guest does not have.
#pragma once

#include <string>
#include <vector>

#include "loads/load.h"

namespace schedlab {

// `arguments` of `load` with its presets expanded (loads/load.h) and its files read:
//   frames --test T   T's values stand before the arguments, which so have the last word; T is a file's path, or
//                     the name of one in tools/frames
//   mix --job FILE    FILE becomes the loads with their complete options, as JSON
// Throws a usage error that names file and line.
std::vector<std::string> expand_arguments(const Load &load, const std::vector<std::string> &arguments);

} // namespace schedlab
