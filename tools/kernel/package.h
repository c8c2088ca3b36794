// SPDX-License-Identifier: GPL-2.0-or-later
// Debian's packages, without root and without touching this system.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace schedlab {

// What tools/setup/apt-isolated prints for these arguments. Throws an environment error with this remedy.
std::string apt_isolated(std::vector<std::string> arguments, const std::string &remedy);

// Makes `tree` of an archive, without the one directory that all of it is in.
void unpack(const std::filesystem::path &tarball, const std::filesystem::path &tree);

} // namespace schedlab
