// SPDX-License-Identifier: GPL-2.0-or-later
// The content key of a kernel image.
#pragma once

#include <map>
#include <string>

#include "core/series.h"
#include "kernel/config.h"

namespace schedlab {

// SHA-256 over all that decides the image: the source's id, what patches change in it (not how they say it),
// the options asked for, architecture and toolchain.
std::string image_key(const std::string &source_id, const std::map<std::string, FileChange> &changes,
                      const ConfigOptions &wanted, const std::string &arch, const std::string &toolchain);

} // namespace schedlab
