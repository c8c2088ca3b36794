// SPDX-License-Identifier: GPL-2.0-or-later
// What the guest asks of the emulator itself, past the kernel, which then needs no drivers for it. Reading is a matter
// of instructions alone: nothing comes when the host finds the time for it, so the same job makes the same run.
#pragma once

#include <string>

namespace schedlab {

// The job the host has put in place; empty: there is none. Throws an environment error without access to the devices.
std::string fetch_job_text();

// Has the machine stopped after two seconds of guest time, at an instruction that no host decides, provided that all
// CPUs are idle by then.
void ask_to_be_stopped();

} // namespace schedlab
