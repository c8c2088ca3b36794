// SPDX-License-Identifier: GPL-2.0-or-later
#include "report/comparison_words.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <tuple>

namespace schedlab {

namespace {

// Signed, unless it shows as zero.
std::string signed_number(double value, int decimals) {
    if (std::abs(value) >= longest_written_out)
        return fmt::format("{:+.4g}", value);
    const std::string digits = fmt::format("{:.{}f}", std::abs(value), decimals);
    const bool zero = digits.find_first_not_of("0.") == std::string::npos;
    return (zero ? "" : value < 0 ? "-" : "+") + digits;
}

std::string change_number(const Comparison &c, double change) {
    if (c.scale == Scale::relative || c.metric.kind == MetricKind::share)
        return signed_number(100 * change, 1);
    if (c.metric.kind == MetricKind::count || std::abs(change) >= 1000)
        return signed_number(change, 0);
    return fmt::format("{:+.4g}", change);
}

// A difference of shares is in percentage points, not per cent.
std::string_view change_unit(const Comparison &c) {
    return c.scale == Scale::relative ? " %" : c.metric.kind == MetricKind::share ? " pp" : "";
}

std::string evidence(const ComparisonReport &report) {
    std::string text;
    for (const Comparison &c : report.metrics)
        if (c.primary)
            text += fmt::format("{}{} {} -> {}", text.empty() ? "" : ", ", c.metric.name,
                                value_words(c.metric, c.median_a), value_words(c.metric, c.median_b));
    return text;
}

std::string settling(const ComparisonReport &report) {
    for (const Comparison &c : report.metrics)
        if (c.primary && c.boots_to_settle)
            return fmt::format("; about {:.0f} boots per arm would settle it", *c.boots_to_settle);
    return {};
}

} // namespace

bool is_modelled(const Comparison &c) { return c.metric.cls == MetricClass::modelled; }

std::string metric_words(const Comparison &c) {
    return c.metric.name + (c.metric.unit == "1" ? "" : ", " + c.metric.unit) + (is_modelled(c) ? " (modelled)" : "");
}

std::string verdict_words(const Comparison &c) {
    const bool enough = std::min(c.a.size(), c.b.size()) >= fewest_boots;
    if (!c.verdict)
        return c.moved ? "changed" : c.metric.cls == MetricClass::time && enough ? "emulated" : "-";
    std::string words(to_string(*c.verdict));
    if (c.boots_to_settle)
        words += *c.boots_to_settle > 99 ? " >99" : fmt::format(" ~{:.0f}", *c.boots_to_settle);
    return words;
}

std::string change_words(const Comparison &c) {
    return change_number(c, c.change) + std::string(change_unit(c));
}

std::string interval_words(const Comparison &c) {
    return c.interval ? change_number(c, c.interval->low) + " .. " + change_number(c, c.interval->high) : "-";
}

bool in_ledger(const Comparison &c) { return !c.primary && c.metric.cls == MetricClass::placement; }

bool between_cpus(const Comparison &c) {
    return c.metric.name.starts_with("migrations.") && std::ranges::count(c.metric.name, '.') == 2;
}

bool has_share(const Comparison &c, const std::vector<Comparison> &all) {
    const std::string name = c.metric.name + ".share";
    return std::ranges::any_of(all, [&](const Comparison &other) { return other.metric.name == name; });
}

bool is_zero(const Comparison &c) {
    const auto zero = [](double v) { return v == 0; };
    return std::ranges::all_of(c.a, zero) && std::ranges::all_of(c.b, zero);
}

std::vector<const Comparison *> worst_first(const std::vector<Comparison> &all) {
    const auto rank = [](const Comparison *c) {
        if (!c->verdict)
            return 3;
        switch (*c->verdict) {
        case Verdict::worse: return 0;
        case Verdict::better: return 1;
        case Verdict::unknown: return 2;
        case Verdict::same: break;
        }
        return 4;
    };
    const auto key = [&](const Comparison *c) { return std::tuple(rank(c), !c->primary, -std::abs(relative_change(*c))); };
    std::vector<const Comparison *> sorted;
    for (const Comparison &c : all)
        sorted.push_back(&c);
    std::ranges::stable_sort(sorted, {}, key);
    return sorted;
}

double relative_change(const Comparison &c) { return relative_change(c, c.change); }

double relative_change(const Comparison &c, double change) {
    if (c.scale == Scale::relative || c.metric.kind == MetricKind::share)
        return change;
    const double base = std::max(std::abs(c.median_a), std::abs(c.median_b));
    return base > 0 ? change / base : 0;
}

std::string option_words(const nlohmann::ordered_json &options) {
    std::string words;
    for (const auto &[name, value] : options.items()) {
        if (value.is_null() || value == false || value == "" || name == "job") // a mix's loads would fill a page
            continue;
        words += " --" + name;
        if (value != true)
            words += " " + (value.is_string() ? value.get<std::string>() : value.dump());
    }
    return words;
}

std::string boots_words(const ComparisonReport &report) {
    const std::size_t a = report.a.seeds.size(), b = report.b.seeds.size();
    return a == b ? fmt::format("{} boot{} per arm", a, a == 1 ? "" : "s") : fmt::format("{} and {} boots", a, b);
}

std::string conclusion_sentence(const ComparisonReport &report) {
    const std::string on = report.machine.empty() ? "" : "on " + report.machine + " ";
    const bool predicted = std::ranges::any_of(
        report.metrics, [](const Comparison &c) { return c.primary && is_modelled(c); });
    const std::string where = on + "under " + report.load + (predicted ? ", as its timing model predicts" : "");
    const std::string medians =
        fmt::format("{} (medians of {})", evidence(report), boots_words(report));
    const std::optional<Verdict> verdict = conclusion(report.metrics);
    if (!verdict) {
        const auto primary = std::ranges::find(report.metrics, true, &Comparison::primary);
        return fmt::format("No verdict {}: {}.", where,
                           primary == report.metrics.end() ? "nothing that decides was measured" : primary->reason);
    }
    switch (*verdict) {
    case Verdict::better: return fmt::format("b is better than a {}: {}.", where, medians);
    case Verdict::worse: return fmt::format("b is worse than a {}: {}.", where, medians);
    case Verdict::same: return fmt::format("a and b are the same {}: {}.", where, medians);
    case Verdict::unknown: break;
    }
    return fmt::format("Whether b differs from a {} is unknown: {}{}.", where, medians, settling(report));
}

std::string looks_sentence(const ComparisonReport &report) {
    return report.looks ? fmt::format("Ended at look {}; intervals and verdicts are made so that they hold at 95 % at all looks "
                                      "together.", report.looks)
                        : "";
}

std::string difference_words(const ReportedDifference &d) {
    return fmt::format("{}: {} -> {}", d.name, d.a.empty() ? "none" : d.a, d.b.empty() ? "none" : d.b);
}

std::string loss_words(const ReportedLoss &lost) {
    return fmt::format("arm {}, seed {}: {} {}", lost.arm, lost.seed, lost.loss.source, lost.loss.count);
}

} // namespace schedlab
