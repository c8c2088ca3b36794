// SPDX-License-Identifier: GPL-2.0-or-later
#include "kernel/package.h"

#include "sys/places.h"
#include "sys/process.h"

namespace schedlab {

std::string apt_isolated(std::vector<std::string> arguments, const std::string &remedy) {
    arguments.insert(arguments.begin(), (data_root() / "tools/setup/apt-isolated").string());
    return run_checked({.argv = std::move(arguments)}, remedy);
}

void unpack(const std::filesystem::path &tarball, const std::filesystem::path &tree) {
    std::filesystem::create_directory(tree);
    run_checked({.argv = {"tar", "-I", "xz -T0", "-xf", tarball.string(), "-C", tree.string(),
                          "--strip-components=1", "--no-same-owner"}},
                "free some space, or fetch it again");
}

} // namespace schedlab
