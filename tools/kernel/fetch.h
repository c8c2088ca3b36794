// SPDX-License-Identifier: GPL-2.0-or-later
// Kernel sources from Debian's packages, without root and without touching this system.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "kernel/kernel.h"

namespace schedlab {

struct FetchedSource {
    std::filesystem::path tree;
    std::string package, version; // "linux-source-6.12", "6.12.117-1~deb12u1"
    std::string release;          // "6.12.117"
};

// The base's source that is in the cache already.
std::optional<FetchedSource> cached_source(const Base &base);

// The newest there is: from the installed package, or else from the release's archive on this system's mirror.
// Found at once if it is in the cache. Throws an environment error.
FetchedSource fetch_source(const Base &base, const Progress &progress);

} // namespace schedlab
