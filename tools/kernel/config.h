// SPDX-License-Identifier: GPL-2.0-or-later
// A kernel's configuration: `tinyconfig` + Kconfig.fragment + the user's own, and proof that every option held.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "kernel/toolchain.h"

namespace schedlab {

struct KernelVersion {
    int major = 0, minor = 0;
    std::string release; // "6.12.117", with EXTRAVERSION
};
// From the head of a kernel's top Makefile. Throws a usage error: `origin` is no kernel tree.
KernelVersion kernel_version(const std::string &makefile, const std::string &origin);

// Option ("CONFIG_SMP") → value as .config spells it: "y", "n" (not set), "128", "\"text\"".
using ConfigOptions = std::map<std::string, std::string>;

// Options of a fragment that are meant for this architecture and version ("#@" lines: see Kconfig.fragment).
// Understands .config's own "# CONFIG_X is not set". Throws a usage error that names `origin` and the line.
ConfigOptions parse_fragment(const std::string &text, const std::string &origin, const std::string &arch,
                             const KernelVersion &version);

// Kconfig.fragment with `files` merged over it, in order.
ConfigOptions wanted_options(const std::vector<std::filesystem::path> &files, const std::string &arch,
                             const KernelVersion &version);

// As lines of a .config.
std::string config_text(const ConfigOptions &options);

// The wanted options that `config`, a finished .config, has otherwise.
ConfigOptions lost_options(const ConfigOptions &wanted, const std::string &config);

// Writes OUT/.config, unless the one there was made from the same. Throws a usage error that names each lost option and its unmet dependencies.
void configure(const Kbuild &kbuild, const ConfigOptions &wanted);

} // namespace schedlab
