// SPDX-License-Identifier: GPL-2.0-or-later
// The scheduler's switches: /sys/kernel/debug/sched/features ("GENTLE_FAIR_SLEEPERS NO_HRTICK ...").
#pragma once

#include <filesystem>
#include <map>
#include <string>

namespace schedlab {

inline const std::filesystem::path sched_features_file = "/sys/kernel/debug/sched/features";

// Each feature and whether it is on. Throws an environment error when the kernel has no such file.
std::map<std::string, bool> read_sched_features(const std::filesystem::path &file = sched_features_file);
// Switches and reads back. Throws an environment error for a feature this kernel does not have, before anything is
// switched, and when a switch did not take.
void switch_sched_features(const std::map<std::string, bool> &wanted,
                           const std::filesystem::path &file = sched_features_file);

} // namespace schedlab
