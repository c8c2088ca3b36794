// SPDX-License-Identifier: GPL-2.0-or-later
// Values as people read them, the same in tables and in sentences.
#pragma once

#include <string>

#include "core/metric.h"

namespace schedlab {

inline constexpr double longest_written_out = 1e15; // what is more is told by its exponent

std::string percent_words(double part); // 0.513 → "51.3 %"
std::string value_words(const Metric &metric, double value); // "51.3 %", "6000", "1.234"

} // namespace schedlab
