// SPDX-License-Identifier: GPL-2.0-or-later
// Two arms' records → changes and verdicts, by the rules of docs/statistics.md. Nothing else decides a verdict.
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
inline constexpr double rare_count = 5;         // events per boot; below, a count is compared as "near zero"

// How a change is told: as a difference in the metric's own unit, or as a fraction of arm a (0.03 = 3 % more).
enum class Scale { difference, relative };
std::string_view to_string(Scale);

// Two sets of boots of one kernel (A/A).
struct Noise {
    double change = 0;         // between them, on the metric's scale
    std::vector<double> again; // the second set's values; the first is arm a
};

struct CompareRules {
    double margin = 0.01;               // smaller changes mean nothing: a fraction; of shares, a difference
    std::vector<std::string> primary;   // metrics that decide the conclusion
    std::map<std::string, Noise> noise; // by metric
    double level = usual_level;         // of tests and intervals; less for each of several looks
    std::vector<std::size_t> blocks;    // in which the boots of both arms were made (core/permutation.h)
};

struct Comparison {
    Metric metric; // its value is not used
    bool primary = false;
    std::vector<double> a, b; // one value per boot, the mean of its runs on `scale`; same index, same seed
    double median_a = 0, median_b = 0;
    Scale scale = Scale::difference;
    double change = 0;                     // Hodges and Lehmann's shift on `scale`
    std::optional<Interval> interval;      // of it, on `scale`; none from too few boots
    double mean_change = 0;                // of the mean over boots (relative: the geometric mean), on `scale`
    std::optional<Interval> mean_interval; // by the hierarchical bootstrap; compare_records() alone fills it
    double p = 1;                          // corrected within its family by compare_records()
    bool moved = false;                    // a change is shown that is more than margin and noise, good, bad or neither
    std::optional<Verdict> verdict;        // none: a verdict would be unsound, `reason` says why
    std::string reason;                    // a few words, never empty
    std::optional<double> boots_to_settle; // of an unknown: boots per arm (80 % power)
    std::optional<double> detectable;      // the smallest change that so many boots find in 80 %, on `scale`
    std::optional<Noise> noise;
};

// One metric by itself. `emulated`: time metrics get no verdict.
Comparison compare(const Metric &metric, std::span<const double> a, std::span<const double> b, bool emulated,
                   const CompareRules &rules = {});

// All metrics that every record has, in the first record's order. Records of one seed in succession are runs of one
// boot. Primary metrics are corrected by Holm, the rest by Benjamini and Hochberg. Throws a run error if a record has
// lost data.
std::vector<Comparison> compare_records(std::span<const Record> a, std::span<const Record> b,
                                        const CompareRules &rules);

// The primary metrics' common verdict: worse if one is worse, else better if one is better, same if all are;
// none if none of them has a verdict.
std::optional<Verdict> conclusion(std::span<const Comparison> comparisons);

// Changes between two sets of boots of one kernel (A/A), as CompareRules::noise wants them.
std::map<std::string, Noise> noise_floor(std::span<const Record> once, std::span<const Record> again);

// --- Steps of the above -----------------------------------------------------------------------------------------

// Change, interval and uncorrected p, without a verdict.
Comparison estimate(const Metric &metric, Scale scale, std::span<const double> a, std::span<const double> b,
                    const CompareRules &rules);
// The verdict on what was estimated, by its p.
void judge(Comparison &c, bool emulated, const CompareRules &rules);

bool has_verdicts(const Metric &metric, bool emulated);
// The change below which two arms are the same, on c's scale. One event per run is the resolution of a count.
double margin_of(const Comparison &c, const CompareRules &rules);
// Values that have logarithms are compared in proportion; counts, shares and all others by difference.
Scale scale_of(const Metric &metric, std::span<const double> a, std::span<const double> b);
// Values as they are compared (logarithms, if in proportion), and a difference of such as it is told.
std::vector<double> on_scale(Scale scale, std::span<const double> values);
double told(Scale scale, double shift);

} // namespace schedlab
