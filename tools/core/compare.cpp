// SPDX-License-Identifier: GPL-2.0-or-later
#include "core/compare.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "core/error.h"

namespace schedlab {

namespace {

constexpr double significant = 0.05;

std::vector<double> logs(std::span<const double> values) {
    std::vector<double> result;
    for (double v : values)
        result.push_back(std::log(v));
    return result;
}

bool all_positive(std::span<const double> values) {
    return std::all_of(values.begin(), values.end(), [](double v) { return v > 0; });
}

Comparison estimate(const Metric &metric, std::span<const double> a, std::span<const double> b) {
    Comparison c;
    c.metric = metric;
    c.a.assign(a.begin(), a.end());
    c.b.assign(b.begin(), b.end());
    c.median_a = median(a);
    c.median_b = median(b);
    c.p = rank_sum_p(a, b);
    if (metric.kind == MetricKind::value && all_positive(a) && all_positive(b)) {
        c.scale = Scale::relative;
        const std::vector<double> log_a = logs(a), log_b = logs(b);
        c.change = std::expm1(shift(log_a, log_b));
        c.interval = shift_interval(log_a, log_b);
        if (c.interval)
            c.interval = Interval{std::expm1(c.interval->low), std::expm1(c.interval->high)};
    } else {
        c.change = shift(a, b);
        c.interval = shift_interval(a, b);
    }
    return c;
}

// The change below which two arms are the same, on c's scale. One event per run is the resolution of a count.
double margin_of(const Comparison &c, const CompareRules &rules) {
    if (c.scale == Scale::relative || c.metric.kind == MetricKind::share)
        return rules.margin;
    const double part = rules.margin * std::abs(c.median_a);
    return c.metric.kind == MetricKind::count ? std::max(1.0, part) : part;
}

double noise_of(const Comparison &c, const CompareRules &rules) {
    const auto found = rules.noise.find(c.metric.name);
    return found == rules.noise.end() ? 0 : std::abs(found->second);
}

double deviation_of(const Comparison &c) {
    return c.scale == Scale::relative ? pooled_deviation(logs(c.a), logs(c.b)) : pooled_deviation(c.a, c.b);
}

// Boots per arm after which the change will have shown to be real, or to be within the margin; none if it is
// too near to the edge of the margin for that, or within the noise floor.
std::optional<double> boots_to_settle(const Comparison &c, double margin, double noise) {
    const double change = std::abs(c.change);
    const double to_show = change > std::max(margin, noise) ? change : margin - change;
    if (to_show <= 0)
        return std::nullopt;
    return std::max(double(c.a.size() + 1), values_to_find(to_show, deviation_of(c)));
}

void conclude(Comparison &c, std::optional<Verdict> verdict, std::string reason) {
    c.verdict = verdict;
    c.reason = std::move(reason);
}

std::optional<Verdict> verdict_of_move(const Comparison &c) {
    if (c.metric.direction == Direction::neutral)
        return std::nullopt;
    const bool wants_more = c.metric.direction == Direction::higher_is_better;
    return (c.change > 0) == wants_more ? Verdict::better : Verdict::worse;
}

bool has_verdicts(const Metric &metric, bool emulated) { return !(metric.cls == MetricClass::time && emulated); }

void judge(Comparison &c, bool emulated, const CompareRules &rules) {
    if (!has_verdicts(c.metric, emulated))
        return conclude(c, std::nullopt, "time is emulated");
    if (std::min(c.a.size(), c.b.size()) < fewest_boots)
        return conclude(c, std::nullopt, fmt::format("fewer than {} boots per arm", fewest_boots));
    if (c.a == c.b)
        return conclude(c, Verdict::same, "identical in every pair");
    const double margin = margin_of(c, rules), noise = noise_of(c, rules);
    if (c.interval->within(margin))
        return conclude(c, Verdict::same, "the interval lies within the margin");
    const bool shown = c.interval->excludes_zero() && c.p <= significant;
    if (shown && std::abs(c.change) > std::max(margin, noise)) {
        const std::optional<Verdict> verdict = verdict_of_move(c);
        return conclude(c, verdict, verdict ? "the interval excludes zero" : "changed, neither way is better");
    }
    c.boots_to_settle = boots_to_settle(c, margin, noise);
    if (!c.interval->excludes_zero())
        return conclude(c, Verdict::unknown, "the interval includes zero");
    if (c.p > significant)
        return conclude(c, Verdict::unknown, fmt::format("one of many questions: corrected p = {:.2g}", c.p));
    conclude(c, Verdict::unknown, noise > margin ? "not above the noise floor" : "not clear of the margin");
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

void refuse_losses(std::span<const Record> records, std::string_view arm) {
    for (const Record &record : records)
        for (const Loss &loss : record.losses)
            if (loss.severity == Severity::data_loss && loss.count > 0)
                throw run_error(fmt::format("arm {}, seed {}: {} lost {} events; such a record cannot be compared",
                                            arm, record.seed, loss.source, loss.count),
                                "a shorter run (fewer loops) or fewer tasks lose less");
}

std::vector<Comparison> estimates(std::span<const Record> a, std::span<const Record> b) {
    std::vector<Comparison> result;
    for (const Metric &metric : a.front().metrics) {
        const auto values_a = values_of(metric.name, a), values_b = values_of(metric.name, b);
        if (values_a && values_b)
            result.push_back(estimate(metric, *values_a, *values_b));
    }
    return result;
}

} // namespace

std::string_view to_string(Verdict verdict) {
    switch (verdict) {
    case Verdict::better: return "better";
    case Verdict::worse: return "worse";
    case Verdict::same: return "same";
    case Verdict::unknown: break;
    }
    return "unknown";
}

std::string_view to_string(Scale scale) { return scale == Scale::relative ? "relative" : "difference"; }

Comparison compare(const Metric &metric, std::span<const double> a, std::span<const double> b, bool emulated,
                   const CompareRules &rules) {
    Comparison c = estimate(metric, a, b);
    judge(c, emulated, rules);
    return c;
}

std::vector<Comparison> compare_records(std::span<const Record> a, std::span<const Record> b,
                                        const CompareRules &rules) {
    refuse_losses(a, "a");
    refuse_losses(b, "b");
    const bool emulated = a.front().emulated;
    std::vector<Comparison> result = estimates(a, b);
    for (Comparison &c : result)
        c.primary = std::find(rules.primary.begin(), rules.primary.end(), c.metric.name) != rules.primary.end() &&
                    has_verdicts(c.metric, emulated);
    correct_family(result, true, emulated, holm);
    correct_family(result, false, emulated, benjamini_hochberg);
    for (Comparison &c : result)
        judge(c, emulated, rules);
    return result;
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

std::map<std::string, double> noise_floor(std::span<const Record> once, std::span<const Record> again) {
    std::map<std::string, double> noise;
    for (const Comparison &c : estimates(once, again))
        noise[c.metric.name] = std::abs(c.change);
    return noise;
}

} // namespace schedlab
