// SPDX-License-Identifier: GPL-2.0-or-later
// Why an option did not survive a kernel's configuration.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "kernel/toolchain.h"

namespace schedlab {

// One line per option of `lost` (name → wanted value): "CONFIG_BPF_EVENTS=y needs KPROBE_EVENTS || UPROBE_EVENTS".
// The tree's own Kconfig parser judges the dependencies by OUT/.config, so any kernel's language is understood.
std::vector<std::string> why_lost(const Kbuild &kbuild, const std::map<std::string, std::string> &lost);

} // namespace schedlab
