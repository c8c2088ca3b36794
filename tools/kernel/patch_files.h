// SPDX-License-Identifier: GPL-2.0-or-later
// Patches from the disk: what --patches and --series name.
#pragma once

#include <filesystem>
#include <vector>

#include "core/series.h"
#include "kernel/kernel.h"

namespace schedlab {

// `path` is a directory with a `series` file, a patch, or an mbox. Throws a usage error.
std::vector<Patch> load_patches(const std::filesystem::path &path);

// All patches of a kernel in the order in which they apply: its base's series, then its own.
std::vector<Patch> patches_of(const KernelSpec &spec);

} // namespace schedlab
