// SPDX-License-Identifier: GPL-2.0-or-later
// Families of metrics: estimated from records, corrected for their number, judged.
#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "core/bootstrap.h"
#include "core/compare.h"
#include "core/corrections.h"
#include "core/error.h"

namespace schedlab {

namespace {

void refuse_losses(std::span<const Record> records, std::string_view arm) {
    for (const Record &record : records)
        for (const Loss &loss : record.losses)
            if (loss.severity == Severity::data_loss && loss.count > 0)
                throw run_error(fmt::format("arm {}, seed {}: {} lost {} events; such a record cannot be compared",
                                            arm, record.seed, loss.source, loss.count),
                                "a shorter run (fewer loops) or fewer tasks lose less");
}

std::vector<std::size_t> runs_per_boot(std::span<const Record> records) {
    std::vector<std::size_t> runs;
    for (std::size_t i = 0; i < records.size(); ++i)
        if (i > 0 && records[i].seed == records[i - 1].seed)
            ++runs.back();
        else
            runs.push_back(1);
    return runs;
}

// One per run; none if a record lacks the metric.
std::optional<std::vector<double>> values_of(std::string_view name, std::span<const Record> records) {
    std::vector<double> values;
    for (const Record &record : records) {
        const Metric *metric = record.find(name);
        if (!metric)
            return std::nullopt;
        values.push_back(metric->value);
    }
    return values;
}

std::string sort_of(const Metric &metric) {
    return fmt::format("{} in '{}', better {}", to_string(metric.kind), metric.unit, to_string(metric.direction));
}

// A name alone makes no metric: seconds are not compared with milliseconds.
void refuse_unlike(const Metric &metric, std::span<const Record> records) {
    for (const Record &record : records) {
        const Metric *other = record.find(metric.name);
        if (other && (other->unit != metric.unit || other->kind != metric.kind || other->direction != metric.direction))
            throw usage_error(fmt::format("metric {} is not alike in all runs: {}; {}", metric.name, sort_of(metric), sort_of(*other)),
                              "what is measured in another way needs another name");
    }
}

// The mean of each boot's runs: the geometric one if they are compared in proportion.
std::vector<double> boot_values(Scale scale, std::span<const double> values, std::span<const std::size_t> runs) {
    std::vector<double> boots;
    for (std::size_t count : runs) {
        const double of_boot = mean(on_scale(scale, values.first(count)));
        boots.push_back(count == 1 ? values[0] : scale == Scale::relative ? std::exp(of_boot) : of_boot);
        values = values.subspan(count);
    }
    return boots;
}

struct Family {
    std::vector<Comparison> comparisons;
    NestedRuns a, b; // values of each comparison, on its scale
};

Family estimates(std::span<const Record> a, std::span<const Record> b, const CompareRules &rules) {
    Family family;
    family.a.runs = runs_per_boot(a);
    family.b.runs = runs_per_boot(b);
    for (const Metric &metric : a.front().metrics) {
        refuse_unlike(metric, a);
        refuse_unlike(metric, b);
        const auto of_a = values_of(metric.name, a), of_b = values_of(metric.name, b);
        if (!of_a || !of_b)
            continue;
        const Scale scale = scale_of(metric, *of_a, *of_b);
        family.a.values.push_back(on_scale(scale, *of_a));
        family.b.values.push_back(on_scale(scale, *of_b));
        family.comparisons.push_back(estimate(metric, scale, boot_values(scale, *of_a, family.a.runs),
                                              boot_values(scale, *of_b, family.b.runs), rules));
    }
    return family;
}

void add_mean_intervals(Family &family, double level) {
    if (std::min(family.a.runs.size(), family.b.runs.size()) < fewest_boots)
        return;
    const std::vector<Interval> intervals = mean_shift_intervals(family.a, family.b, level);
    for (std::size_t i = 0; i < intervals.size(); ++i) {
        Comparison &c = family.comparisons[i];
        c.mean_interval = Interval{told(c.scale, intervals[i].low), told(c.scale, intervals[i].high)};
    }
}

// Metrics that are identical in every pair cannot reject anything: they are no question (Tarone 1990).
void correct_family(std::vector<Comparison> &comparisons, bool primary, bool emulated,
                    std::vector<double> (*correction)(std::span<const double>)) {
    std::vector<Comparison *> family;
    std::vector<double> p;
    for (Comparison &c : comparisons)
        if (c.primary == primary && c.a != c.b && has_verdicts(c.metric, emulated)) {
            family.push_back(&c);
            p.push_back(c.p);
        }
    const std::vector<double> corrected = correction(p);
    for (std::size_t i = 0; i < family.size(); ++i)
        family[i]->p = corrected[i];
}

} // namespace

std::vector<Comparison> compare_records(std::span<const Record> a, std::span<const Record> b,
                                        const CompareRules &rules) {
    refuse_losses(a, "a");
    refuse_losses(b, "b");
    const bool emulated = a.front().emulated;
    Family family = estimates(a, b, rules);
    add_mean_intervals(family, rules.level);
    std::vector<Comparison> &result = family.comparisons;
    for (Comparison &c : result)
        c.primary = std::ranges::find(rules.primary, c.metric.name) != rules.primary.end() &&
                    has_verdicts(c.metric, emulated);
    correct_family(result, true, emulated, holm);
    correct_family(result, false, emulated, benjamini_hochberg);
    for (Comparison &c : result)
        judge(c, emulated, rules);
    return std::move(result);
}

std::optional<Verdict> conclusion(std::span<const Comparison> comparisons) {
    std::optional<Verdict> overall;
    // Which verdict wins when primary metrics disagree.
    const auto weight = [](Verdict v) {
        return v == Verdict::worse ? 3 : v == Verdict::better ? 2 : v == Verdict::unknown ? 1 : 0;
    };
    for (const Comparison &c : comparisons)
        if (c.primary && c.verdict && (!overall || weight(*c.verdict) > weight(*overall)))
            overall = c.verdict;
    return overall;
}

std::map<std::string, Noise> noise_floor(std::span<const Record> once, std::span<const Record> again) {
    std::map<std::string, Noise> noise;
    for (const Comparison &c : estimates(once, again, {}).comparisons)
        noise[c.metric.name] = {std::abs(c.change), c.b};
    return noise;
}

} // namespace schedlab
