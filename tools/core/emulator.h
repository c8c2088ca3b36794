// SPDX-License-Identifier: GPL-2.0-or-later
// What host and guest agree on about the emulator between them.
#pragma once

namespace schedlab {

// The guest's job is the file of this name that QEMU's fw_cfg device hands out. Without it the guest has itself stopped,
// to be saved, by the watchdog (i6300esb) in this slot of the first PCI bus.
inline constexpr const char *job_item = "opt/schedlab/job";
inline constexpr unsigned watchdog_slot = 30;

} // namespace schedlab
