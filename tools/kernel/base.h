// SPDX-License-Identifier: GPL-2.0-or-later
// Kernel bases as data (patches/bases), and what names a kernel on a command line.
#pragma once

#include <string>
#include <vector>

#include "kernel/kernel.h"

namespace schedlab {

// One base a line: name, package, release, version prefix; '#' starts a comment. `origin` is named in errors.
// Throws a usage error.
std::vector<Base> parse_bases(const std::string &text, const std::string &origin);

} // namespace schedlab
