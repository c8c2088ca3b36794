// SPDX-License-Identifier: GPL-2.0-or-later
// QEMU's device tree of an arm64 machine, with the model's capacities and caches and fixed seeds put in.
#pragma once

#include <cstdint>
#include <string>

#include "core/machine.h"

namespace schedlab {

// `blob` is the tree as QEMU dumped it. Sets capacity-dmips-mhz, adds cache nodes reached by next-level-cache, writes the
// model's cpu-map in place of QEMU's if it has one, and derives /chosen's rng-seed and kaslr-seed from `seed`. Throws a run error if the tree is not one of `machine`.
std::string edit_device_tree(const std::string &blob, const Machine &machine, std::uint64_t seed);

} // namespace schedlab
