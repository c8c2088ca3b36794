// SPDX-License-Identifier: GPL-2.0-or-later
#include "core/compare.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "core/permutation.h"

namespace schedlab {

namespace {

double per_boot(const Comparison &c) { return (mean(c.a) + mean(c.b)) / 2; }

// A log may also have counts below zero; those are no events.
bool is_rare_count(const Comparison &c) {
    const auto negative = [](double v) { return v < 0; };
    return c.metric.kind == MetricKind::count && per_boot(c) < rare_count && std::ranges::none_of(c.a, negative) &&
           std::ranges::none_of(c.b, negative);
}

// Several runs of one boot have a mean that need not be whole.
bool is_whole(const Comparison &c) {
    const auto whole = [](double v) { return v == std::floor(v); };
    return std::ranges::all_of(c.a, whole) && std::ranges::all_of(c.b, whole);
}

// Of single boots, on the scale. Rare events scatter at least as Poisson's do, seen or not.
double deviation_of(const Comparison &c) {
    const double seen = pooled_deviation(on_scale(c.scale, c.a), on_scale(c.scale, c.b));
    if (!is_rare_count(c))
        return seen;
    const std::size_t boots = c.a.size() + c.b.size();
    return std::max(seen, std::sqrt(poisson_mean(per_boot(c) * double(boots), boots).high));
}

double noise_of(const Comparison &c) { return c.noise ? std::abs(c.noise->change) : 0; }

// Boots per arm after which the change will have shown to be real, or to be within the margin; none if it is
// too near to the edge of the margin for that, or within the noise floor.
std::optional<double> boots_to_settle(const Comparison &c, double margin, double level) {
    const double change = std::abs(c.change);
    const double to_show = change > std::max(margin, noise_of(c)) ? change : margin - change;
    if (to_show <= 0)
        return std::nullopt;
    return std::max(double(c.a.size() + 1), values_to_find(to_show, deviation_of(c), level));
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

} // namespace

double told(Scale scale, double shift) { return scale == Scale::relative ? std::expm1(shift) : shift; }

Scale scale_of(const Metric &metric, std::span<const double> a, std::span<const double> b) {
    const auto positive = [](double v) { return v > 0; };
    const bool has_logarithms = std::ranges::all_of(a, positive) && std::ranges::all_of(b, positive);
    return metric.kind == MetricKind::value && has_logarithms ? Scale::relative : Scale::difference;
}

std::vector<double> on_scale(Scale scale, std::span<const double> values) {
    std::vector<double> result(values.begin(), values.end());
    if (scale == Scale::relative)
        std::ranges::transform(result, result.begin(), [](double v) { return std::log(v); });
    return result;
}

bool has_verdicts(const Metric &metric, bool emulated) { return !(metric.cls == MetricClass::time && emulated); }

double margin_of(const Comparison &c, const CompareRules &rules) {
    if (c.scale == Scale::relative || c.metric.kind == MetricKind::share)
        return rules.margin;
    const double part = rules.margin * std::abs(c.median_a);
    return c.metric.kind == MetricKind::count ? std::max(1.0, part) : part;
}

Comparison estimate(const Metric &metric, Scale scale, std::span<const double> a, std::span<const double> b,
                    const CompareRules &rules) {
    Comparison c;
    c.metric = metric;
    c.a.assign(a.begin(), a.end());
    c.b.assign(b.begin(), b.end());
    c.median_a = median(a);
    c.median_b = median(b);
    c.scale = scale;
    const std::vector<double> x = on_scale(scale, a), y = on_scale(scale, b);
    c.p = is_rare_count(c) && is_whole(c) ? count_sum_p(x, y, rules.blocks) : rank_sum_p(x, y, rules.blocks);
    c.change = told(scale, shift(x, y, rules.blocks));
    if (const auto interval = shift_interval(x, y, rules.level, rules.blocks))
        c.interval = Interval{told(scale, interval->low), told(scale, interval->high)};
    c.mean_change = told(scale, mean(y) - mean(x));
    if (std::min(a.size(), b.size()) >= 2)
        c.detectable = told(scale, detectable_shift(a.size(), b.size(), deviation_of(c), rules.level));
    if (const auto noise = rules.noise.find(metric.name); noise != rules.noise.end())
        c.noise = noise->second;
    return c;
}

void judge(Comparison &c, bool emulated, const CompareRules &rules) {
    if (!has_verdicts(c.metric, emulated))
        return conclude(c, std::nullopt, "time is emulated");
    if (std::min(c.a.size(), c.b.size()) < fewest_boots)
        return conclude(c, std::nullopt, fmt::format("fewer than {} boots per arm", fewest_boots));
    if (c.a == c.b)
        return conclude(c, Verdict::same, "identical in every pair");
    const double margin = margin_of(c, rules);
    if (c.interval && c.interval->within(margin))
        return conclude(c, Verdict::same, "the interval lies within the margin");
    const bool excludes_zero = c.interval && c.interval->excludes_zero();
    c.moved = excludes_zero && c.p <= rules.level && std::abs(c.change) > std::max(margin, noise_of(c));
    if (c.moved) {
        const std::optional<Verdict> verdict = verdict_of_move(c);
        return conclude(c, verdict, verdict ? "the interval excludes zero" : "changed, neither way is better");
    }
    c.boots_to_settle = boots_to_settle(c, margin, rules.level);
    if (!c.interval)
        return conclude(c, Verdict::unknown, "so few boots can exclude nothing");
    if (!excludes_zero)
        return conclude(c, Verdict::unknown, "the interval includes zero");
    if (c.p > rules.level)
        return conclude(c, Verdict::unknown, fmt::format("one of many questions: corrected p = {:.2g}", c.p));
    conclude(c, Verdict::unknown, noise_of(c) > margin ? "not above the noise floor" : "not clear of the margin");
}

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
    Comparison c = estimate(metric, scale_of(metric, a, b), a, b, rules);
    judge(c, emulated, rules);
    return c;
}

} // namespace schedlab
