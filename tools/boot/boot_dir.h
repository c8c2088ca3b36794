// SPDX-License-Identifier: GPL-2.0-or-later
// The files of one boot, in a directory that goes away with the object.
#pragma once

#include "boot/boot.h"
#include "boot/qemu.h"
#include "sys/files.h"

namespace schedlab {

class BootDir {
public:
    // Throws usage errors for a kernel that is not there, environment errors for what is missing here.
    BootDir(const Machine &machine, const std::filesystem::path &kernel, const Job &job,
            std::vector<GuestFile> guest_files);

    std::filesystem::path log() const { return dir_.path() / "emulator.log"; }

    BootFiles files;

private:
    TempDir dir_;
};

} // namespace schedlab
