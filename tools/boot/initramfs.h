// SPDX-License-Identifier: GPL-2.0-or-later
// The guest's file system: a cpio archive (newc, uncompressed: it is unpacked by an emulated CPU).
#pragma once

#include <filesystem>
#include <span>

#include "boot/boot.h"

namespace schedlab {

// Writes `files` with their directories, mount points and /dev/console. The bytes depend on nothing but targets and
// contents. Throws environment errors for a file that cannot be read or written.
void write_initramfs(const std::filesystem::path &archive, std::span<const GuestFile> files);

} // namespace schedlab
