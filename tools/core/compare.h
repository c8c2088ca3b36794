// SPDX-License-Identifier: GPL-2.0-or-later
// Two arms' records → changes and verdicts, by the rules of docs/measuring.md. Nothing else decides a verdict.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/metric.h"
#include "core/record.h"
#include "core/stats.h"

namespace schedlab {

enum class Verdict { better, worse, same, unknown };
std::string_view to_string(Verdict);

inline constexpr std::size_t fewest_boots = 4;  // per arm, for a verdict
inline constexpr std::size_t enough_boots = 5;  // per arm, for one without a warning

// How a change is told: as a difference in the metric's own unit, or as a fraction of arm a (0.03 = 3 % more).
enum class Scale { difference, relative };
std::string_view to_string(Scale);

struct CompareRules {
    double margin = 0.01;                // smaller changes mean nothing: a fraction; of shares, a difference
    std::vector<std::string> primary;    // metrics that decide the conclusion
    std::map<std::string, double> noise; // by metric: the change between two plans of one kernel, on its scale
};

struct Comparison {
    Metric metric; // its value is not used
    bool primary = false;
    std::vector<double> a, b; // one value per boot; a[i] and b[i] had the same seed
    double median_a = 0, median_b = 0;
    Scale scale = Scale::difference;
    double change = 0;                // Hodges and Lehmann's shift on `scale`
    std::optional<Interval> interval; // 95 %, on `scale`; none from too few boots
    double p = 1;                     // rank-sum test; corrected within its family by compare_records()
    std::optional<Verdict> verdict;   // none: a verdict would be unsound, `reason` says why
    std::string reason;               // a few words, never empty
    std::optional<double> boots_to_settle; // of an unknown: boots per arm (80 % power)
};

// One metric by itself. `emulated`: time metrics get no verdict.
Comparison compare(const Metric &metric, std::span<const double> a, std::span<const double> b, bool emulated,
                   const CompareRules &rules = {});

// All metrics that every record has, in the first record's order. a[i] and b[i] had the same seed. Primary metrics
// are corrected by Holm, the rest by Benjamini and Hochberg. Throws a run error if a record has lost data.
std::vector<Comparison> compare_records(std::span<const Record> a, std::span<const Record> b,
                                        const CompareRules &rules);

// The primary metrics' common verdict: worse if one is worse, else better if one is better, same if all are;
// none if none of them has a verdict.
std::optional<Verdict> conclusion(std::span<const Comparison> comparisons);

// Changes between two plans of one kernel (A/A), as CompareRules::noise wants them.
std::map<std::string, double> noise_floor(std::span<const Record> once, std::span<const Record> again);

} // namespace schedlab
