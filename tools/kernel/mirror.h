// SPDX-License-Identifier: GPL-2.0-or-later
// A directory of somebody else's, followed by a copy of ours: only what changed is copied.
#pragma once

#include <filesystem>
#include <map>
#include <string>

namespace schedlab {

// Path → "MODE SIZE MTIME": as for make(1) and git, equal means equal content.
using TreeListing = std::map<std::string, std::string>;

// Regular files and symbolic links of a kernel tree, without what a build in it leaves. Throws an environment error.
TreeListing list_tree(const std::filesystem::path &tree);
std::string to_text(const TreeListing &listing);

// Makes `to` a copy of `tree`, whose listing is `files`. `index` keeps what was copied. Other files that are in `to`
// stay. Throws a run error if `tree` changes meanwhile.
void mirror(const std::filesystem::path &tree, const TreeListing &files, const std::filesystem::path &to,
            const std::filesystem::path &index);

} // namespace schedlab
