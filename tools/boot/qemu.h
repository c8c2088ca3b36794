// SPDX-License-Identifier: GPL-2.0-or-later
// How QEMU is called. Nothing outside qemu.cpp spells its options.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "core/machine.h"
#include "sys/process.h"

namespace schedlab {

// The emulator of `machine`: the distribution's, or schedlab's own for modelled time. Throws an environment error that
// names what was found and what will do, or a usage error for a machine whose timing nobody described.
void require_qemu(const Machine &machine);

// What a boot reads and writes.
struct BootFiles {
    std::filesystem::path kernel, initramfs;
    std::filesystem::path job;         // empty: none; the guest waits to be saved
    std::filesystem::path device_tree; // empty where the machine has none
    std::filesystem::path timing;      // for modelled time
    std::filesystem::path console, channel; // written: the guest's first and second serial port
};

// Time is counted in instructions, idle time is skipped, all randomness comes from `seed`: the same request gives the
// same run.
Command boot_command(const Machine &machine, const BootFiles &files, std::uint64_t seed);
// The same machine with a watchdog that stops it, to be saved, and controlled (boot/qmp.h) over the descriptor
// control_fd; and one that waits to be given that state. The seed is that of what the emulator itself draws.
inline constexpr int control_fd = 3;
Command save_command(const Machine &machine, const BootFiles &files);
Command resume_command(const Machine &machine, const BootFiles &files, std::uint64_t seed);
inline constexpr std::uint64_t state_seed = 0; // of all that is random until a machine is saved
// The same machine with its console on our terminal, in real time.
Command shell_command(const Machine &machine, const BootFiles &files);
// The machine's device tree as QEMU makes it.
std::string dump_device_tree(const Machine &machine);

} // namespace schedlab
