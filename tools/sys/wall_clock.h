// SPDX-License-Identifier: GPL-2.0-or-later
// The time of day, as runs and comparisons are dated.
#pragma once

#include <string>

namespace schedlab {

std::string utc_now(); // UTC, ISO 8601: "2026-11-30T16:04:05Z"

} // namespace schedlab
