// SPDX-License-Identifier: GPL-2.0-or-later
#include "boot/boot.h"

#include <algorithm>
#include <fmt/format.h>

#include "boot/boot_dir.h"
#include "boot/watch.h"

namespace schedlab {

std::string_view to_string(BootEnd end) {
    switch (end) {
    case BootEnd::done: return "done";
    case BootEnd::guest_error: return "guest error";
    case BootEnd::panic: return "panic";
    case BootEnd::out_of_memory: return "out of memory";
    case BootEnd::warning: return "warning";
    case BootEnd::hang: return "hang";
    case BootEnd::guest_exit: return "guest exit";
    case BootEnd::truncated: return "truncated";
    case BootEnd::untrue: return "untrue";
    case BootEnd::qemu_failed: return "QEMU failed";
    }
    return "?";
}

std::string BootResult::console_tail(std::size_t lines) const {
    std::string tail;
    for (std::size_t i = std::min(console_at, console.size()); i < console.size() && lines > 0; ++i, --lines)
        tail += fmt::format("    {}\n", console[i]);
    return tail;
}

void require_boot(const Machine &machine) {
    require_qemu(machine);
    guest_program(machine.arch);
}

BootResult boot(const BootRequest &request) {
    require_qemu(*request.machine);
    const BootDir dir(*request.machine, request.kernel, &request.job, request.files);
    Command command = boot_command(*request.machine, dir.files, request.job.seed);
    command.log = dir.log();
    Watch watch(request, dir.files);
    {
        Child emulator(command);
        watch.follow(emulator);
    }
    return watch.result(dir.log());
}

BootResult checked(BootResult result) {
    if (result.end == BootEnd::done)
        return result;
    std::string remedy = result.remedy;
    // The console explains what the guest could not; a guest error or an untrue machine explains itself.
    if (result.end != BootEnd::guest_error && result.end != BootEnd::untrue && !result.console.empty())
        remedy += fmt::format("{}the console said:\n{}", remedy.empty() ? "" : "\n  ", result.console_tail());
    throw Error(result.code, result.message, remedy);
}

} // namespace schedlab
