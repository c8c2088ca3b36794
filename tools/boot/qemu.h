// SPDX-License-Identifier: GPL-2.0-or-later
// How QEMU is called. Nothing outside qemu.cpp spells its options.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "core/machine.h"
#include "sys/process.h"

namespace schedlab {

// The emulator of `arch`. Throws an environment error that names the version found and the oldest that will do.
void require_qemu(const std::string &arch);

// What a boot reads and writes.
struct BootFiles {
    std::filesystem::path kernel, initramfs, job;
    std::filesystem::path device_tree; // empty where the machine has none
    std::filesystem::path console, channel; // written: the guest's first and second serial port
};

// The name of the guest's job in /sys/firmware/qemu_fw_cfg/by_name is opt/schedlab/job. Time is counted in
// instructions, idle time is skipped, all randomness comes from `seed`: the same request gives the same run.
Command boot_command(const Machine &machine, const BootFiles &files, std::uint64_t seed);
// The same machine with its console on our terminal, in real time.
Command shell_command(const Machine &machine, const BootFiles &files);
// The machine's device tree as QEMU makes it.
std::string dump_device_tree(const Machine &machine);

} // namespace schedlab
