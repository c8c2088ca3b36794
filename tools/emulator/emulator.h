// SPDX-License-Identifier: GPL-2.0-or-later
// The emulator of modelled time (docs/timing.md): QEMU from Debian's source package with patches/qemu, built into the
// content-addressed cache. What needs no modelled time runs on the distribution's QEMU.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "kernel/kernel.h"

namespace schedlab {

struct Emulator {
    std::filesystem::path program;
    std::string arch;    // of the machines it emulates: "arm64" or "x86_64"
    std::string version; // the source package's: "1:10.0.13+ds-0+deb13u1"
    std::string key;     // sha256 over source, patches, configuration, compiler
};

// Builds or finds the one for `arch`. Throws an environment error that names the packages that a build lacks here, a
// run error for a build that fails.
Emulator build_emulator(const std::string &arch, const Progress &progress);

// The newest in the cache that was built from the present patches, its content verified. Throws an environment error
// that says how to get it.
Emulator require_emulator(const std::string &arch);

struct KeptEmulator {
    Emulator emulator;
    bool current = false; // built from the present patches
};
std::vector<KeptEmulator> list_emulators(); // the newest first

} // namespace schedlab
