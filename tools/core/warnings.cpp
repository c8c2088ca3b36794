// SPDX-License-Identifier: GPL-2.0-or-later
#include "core/warnings.h"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>
#include <map>
#include <set>

#include "core/trend.h"
#include "core/two_groups.h"

namespace schedlab {

namespace {

// Few enough false warnings that each is worth reading: one in a hundred metrics.
constexpr double surely = 0.01;

class Warnings {
public:
    void add(std::string sentence) {
        if (std::ranges::find(sentences_, sentence) == sentences_.end())
            sentences_.push_back(std::move(sentence));
    }
    std::vector<std::string> take() { return std::move(sentences_); }

private:
    std::vector<std::string> sentences_;
};

std::size_t count_boots(std::span<const Record> records) {
    std::set<std::uint64_t> seeds;
    for (const Record &record : records)
        seeds.insert(record.seed);
    return seeds.size();
}

void warn_of_few_boots(Warnings &warnings, std::size_t boots) {
    if (boots < fewest_boots)
        warnings.add(fmt::format("{} boot{} per arm: no verdict below {}", boots, boots == 1 ? "" : "s", fewest_boots));
    else if (boots < enough_boots)
        warnings.add(fmt::format("only {} boots per arm: {} or more are better", boots, enough_boots));
}

void warn_of_groups(Warnings &warnings, const Comparison &c, const CompareRules &rules, const char *arm,
                    std::span<const double> values) {
    const std::optional<TwoGroups> groups = two_groups(values);
    if (!groups || groups->p > surely)
        return;
    const double unit = c.scale == Scale::relative ? groups->low_median : 1;
    if (groups->gap > margin_of(c, rules) * unit)
        warnings.add(fmt::format("{}: the boots of {} fall into two groups, {} near {:.4g} and {} near {:.4g}: "
                                 "no single number tells what it is",
                                 c.metric.name, arm, groups->low, groups->low_median, groups->high,
                                 groups->high_median));
}

void warn_of_drift(Warnings &warnings, const Comparison &c) {
    if (const double p = trend_p(c.a, c.b); p <= surely)
        warnings.add(fmt::format("{}: drifts from boot to boot in both arms (p = {:.2g}): something besides the kernel "
                                 "changed meanwhile",
                                 c.metric.name, p));
}

void warn_of_mean(Warnings &warnings, const Comparison &c) {
    const bool moved = c.verdict == Verdict::better || c.verdict == Verdict::worse;
    if (!moved || !c.mean_interval)
        return;
    if (!c.mean_interval->excludes_zero() || (c.mean_interval->low > 0) != (c.change > 0))
        warnings.add(fmt::format("{}: most boots of b are {}, but their mean may not be: a few far ones outweigh the "
                                 "others",
                                 c.metric.name, to_string(*c.verdict)));
}

void warn_of_noise(Warnings &warnings, const Comparison &c, bool emulated, const CompareRules &rules) {
    if (!c.noise)
        return;
    const auto verdict = compare(c.metric, c.a, c.noise->again, emulated, {.margin = rules.margin}).verdict;
    if (verdict == Verdict::better || verdict == Verdict::worse)
        warnings.add(fmt::format("{}: arm a differs from itself in other boots (A/A): something besides the kernel "
                                 "decides it",
                                 c.metric.name));
}

// N of "pN", or none.
std::optional<double> percentile(std::string_view suffix) {
    double percent = 0;
    const char *end = suffix.data() + suffix.size();
    if (!suffix.starts_with('p') || suffix.size() < 2)
        return std::nullopt;
    const auto [stop, error] = std::from_chars(suffix.data() + 1, end, percent);
    return error == std::errc{} && stop == end ? std::optional(percent) : std::nullopt;
}

// "frame_ms" and 99 of "frame_ms.p99"; also "x" and 99.9 of "x.p99.9".
std::optional<std::pair<std::string, double>> percentile_of(const std::string &name) {
    for (std::size_t dot = name.find('.'); dot != std::string::npos; dot = name.find('.', dot + 1))
        if (const auto percent = percentile(std::string_view(name).substr(dot + 1)))
            return std::pair(name.substr(0, dot), *percent);
    return std::nullopt;
}

} // namespace

std::vector<std::string> contradictions(const Record &record) {
    std::map<std::string, std::map<double, const Metric *>> percentiles; // of each quantity, ascending
    for (const Metric &metric : record.metrics)
        if (const auto parts = percentile_of(metric.name))
            percentiles[parts->first][parts->second] = &metric;
    std::vector<std::string> sentences;
    for (auto &[quantity, of_quantity] : percentiles) {
        if (const Metric *max = record.find(quantity + ".max"))
            of_quantity[100] = max;
        const Metric *below = nullptr;
        for (const auto &[percent, metric] : of_quantity) {
            if (below && below->value > metric->value)
                sentences.push_back(fmt::format("{} = {:.6g} is above {} = {:.6g}", below->name, below->value,
                                                metric->name, metric->value));
            below = metric;
        }
    }
    return sentences;
}

std::vector<std::string> warnings_about(std::span<const Record> a, std::span<const Record> b,
                                        std::span<const Comparison> comparisons, const CompareRules &rules) {
    Warnings warnings;
    warn_of_few_boots(warnings, std::min(count_boots(a), count_boots(b)));
    std::set<std::string> names;
    for (const auto &[arm, records] : {std::pair{"a", a}, std::pair{"b", b}})
        for (const Record &record : records) {
            for (const Metric &metric : record.metrics)
                names.insert(metric.name);
            for (const std::string &warning : record.warnings)
                warnings.add(warning);
            for (const std::string &sentence : contradictions(record))
                warnings.add(fmt::format("arm {}, seed {}: {}", arm, record.seed, sentence));
        }
    if (names.size() > comparisons.size())
        warnings.add(fmt::format("{} metrics are not in every record and are not compared",
                                 names.size() - comparisons.size()));
    const bool emulated = a.front().emulated;
    for (const Comparison &c : comparisons) {
        if (!c.primary)
            continue;
        warn_of_groups(warnings, c, rules, "a", c.a);
        warn_of_groups(warnings, c, rules, "b", c.b);
        if (!emulated)
            warn_of_drift(warnings, c);
        warn_of_mean(warnings, c);
        warn_of_noise(warnings, c, emulated, rules);
    }
    return warnings.take();
}

} // namespace schedlab
