// SPDX-License-Identifier: GPL-2.0-or-later
// Where schedlab keeps what is costly, and where it finds its own data.
#pragma once

#include <filesystem>

namespace schedlab {

// ${XDG_CACHE_HOME:-~/.cache}/schedlab, created if missing. Throws an environment error.
std::filesystem::path cache_root();
// Where this program's data (machines/, patches/, Kconfig.fragment) is: $SCHEDLAB_DATA, else beside the
// executable's source checkout, else PREFIX/share/schedlab.
std::filesystem::path data_root();

} // namespace schedlab
