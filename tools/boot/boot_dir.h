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
    // Without a job the guest waits to be saved.
    BootDir(const Machine &machine, const std::filesystem::path &kernel, const Job *job,
            std::vector<GuestFile> guest_files);
    // Those of a machine that was booted before.
    BootDir(const Machine &machine, const Job &job);

    std::filesystem::path log() const { return dir_.path() / "emulator.log"; }

    BootFiles files;

private:
    BootDir();
    void put_timing(const Machine &machine);
    void put(const Job &job);

    TempDir dir_;
};

} // namespace schedlab
