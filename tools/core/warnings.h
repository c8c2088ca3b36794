// SPDX-License-Identifier: GPL-2.0-or-later
// What should be known before a comparison is believed. Warnings change no verdict.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "core/compare.h"

namespace schedlab {

// Sentences, about: too few boots; metrics that not every record has; what the records say themselves; percentiles out of
// order; and, of the primary metrics, drift (where order can matter: not in emulation), boots in two groups, a mean that
// contradicts the verdict, an arm that differs from itself (A/A). `a` and `b`: as compare_records() took them.
std::vector<std::string> warnings_about(std::span<const Record> a, std::span<const Record> b,
                                        std::span<const Comparison> comparisons, const CompareRules &rules);

// "frame_ms.p99 = 31.2 is above frame_ms.max = 30.1": a sentence per contradiction, of one record. Percentiles are those
// of one run; a metric X.pN is one of X, whose greatest value is X.max.
std::vector<std::string> contradictions(const Record &record);

} // namespace schedlab
