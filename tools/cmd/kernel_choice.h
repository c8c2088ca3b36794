// SPDX-License-Identifier: GPL-2.0-or-later
// --base and --kernel of the commands that try the series: a base with the series, or another kernel.
#pragma once

#include "cmd/command_line.h"
#include "kernel/kernel.h"
#include "report/progress.h"

namespace schedlab {

struct KernelChoice {
    std::string base, kernel;
};

void add_kernel_choice(CLI::App &app, KernelChoice &choice);
// Throws a usage error that names `command` if neither was given.
void require_kernel(const KernelChoice &choice, const std::string &command);
// Finds or builds it for `arch`, with `configs` merged over Kconfig.fragment.
Image build_choice(const KernelChoice &choice, const std::string &arch, const std::vector<std::filesystem::path> &configs,
                   ProgressLine &progress);

} // namespace schedlab
