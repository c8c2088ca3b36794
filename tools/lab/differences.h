// SPDX-License-Identifier: GPL-2.0-or-later
// What two sides of a comparison do not have in common, beside what is compared.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "report/comparison.h"
#include "store/store.h"

namespace schedlab {

// Everything known of a run's system (docs/store.md): what the guest said, and what was known before.
nlohmann::ordered_json environment_of(const StoredRun &run);

// Values that differ, named by their path ("sysctls.sched_rt_runtime_us"). The kernel's title is not among them.
std::vector<ReportedDifference> environment_differences(const nlohmann::ordered_json &a, const nlohmann::ordered_json &b);

// Of two texts as a kernel's .config; an option that is not set is "n".
std::vector<ReportedDifference> configuration_differences(const std::string &a, const std::string &b);

} // namespace schedlab
