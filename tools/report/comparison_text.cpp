// SPDX-License-Identifier: GPL-2.0-or-later
#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "core/explain.h"
#include "report/comparison.h"
#include "report/table.h"

namespace schedlab {

namespace {

std::string number(const Metric &metric, double value) {
    if (metric.kind == MetricKind::share)
        return fmt::format("{:.1f} %", 100 * value);
    if (metric.kind == MetricKind::count || std::abs(value) >= 1000)
        return fmt::format("{:.0f}", value);
    return fmt::format("{:.4g}", value);
}

// Signed, unless it shows as zero.
std::string signed_number(double value, int decimals) {
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

Color color_of(const std::optional<Verdict> &verdict) {
    if (verdict == Verdict::better)
        return Color::green;
    if (verdict == Verdict::worse)
        return Color::red;
    return verdict == Verdict::unknown ? Color::yellow : Color::none;
}

// At most ten columns; legend() says what the short ones mean.
std::string verdict_words(const Comparison &c) {
    if (!c.verdict)
        return c.metric.cls == MetricClass::time ? "emulated" : c.interval ? "changed" : "-";
    std::string words(to_string(*c.verdict));
    if (c.boots_to_settle)
        words += *c.boots_to_settle > 99 ? " >99" : fmt::format(" ~{:.0f}", *c.boots_to_settle);
    return words;
}

std::string legend(const std::vector<Comparison> &comparisons) {
    const auto any = [&](auto matches) { return std::ranges::any_of(comparisons, matches); };
    std::string text;
    if (any([](const Comparison &c) { return verdict_words(c) == "emulated"; }))
        text += "  emulated: time on an emulated machine gets no verdict\n";
    if (any([](const Comparison &c) { return verdict_words(c) == "changed"; }))
        text += "  changed: neither direction is better\n";
    if (any([](const Comparison &c) { return c.boots_to_settle.has_value(); }))
        text += "  unknown ~N: about N boots per arm would settle it\n";
    return text;
}

std::string interval_words(const Comparison &c) {
    return c.interval ? change_number(c, c.interval->low) + " .. " + change_number(c, c.interval->high) : "-";
}

std::vector<Field> row_of(const Comparison &c) {
    const std::string unit = c.metric.unit == "1" ? "" : ", " + c.metric.unit;
    return {{c.metric.name + unit},         {number(c.metric, c.median_a)},
            {number(c.metric, c.median_b)}, {change_number(c, c.change) + std::string(change_unit(c))},
            {interval_words(c)},            {verdict_words(c), color_of(c.verdict)}};
}

bool in_ledger(const Comparison &c) { return !c.primary && c.metric.cls == MetricClass::placement; }

// A count whose share is in the table says the same twice; the JSON has both.
bool has_share(const Comparison &c, const std::vector<Comparison> &all) {
    const std::string name = c.metric.name + ".share";
    return std::ranges::any_of(all, [&](const Comparison &other) { return other.metric.name == name; });
}

bool is_zero(const Comparison &c) {
    const auto zero = [](double v) { return v == 0; };
    return std::ranges::all_of(c.a, zero) && std::ranges::all_of(c.b, zero);
}

// One table for both parts, so that their columns line up.
std::string tables(const ComparisonReport &report, const Terminal &terminal) {
    Table table({"", "a", "b", "change", "95 % interval", "verdict"});
    for (const bool primary : {true, false})
        for (const Comparison &c : report.metrics)
            if (c.primary == primary && !in_ledger(c))
                table.add(row_of(c));
    table.section("placement ledger");
    std::string zero;
    for (const Comparison &c : report.metrics) {
        if (!in_ledger(c) || has_share(c, report.metrics))
            continue;
        if (is_zero(c))
            zero += (zero.empty() ? "" : ", ") + c.metric.name;
        else
            table.add(row_of(c));
    }
    // What a narrow terminal can do without first.
    std::string text = table.render(terminal, {3, 4});
    if (!zero.empty())
        text += wrap("0 in every run: " + zero, 2, terminal.columns);
    return text + legend(report.metrics);
}

// The groups of CPUs of each level, each level once: "MC 0-3 | 4-7".
std::string domain_lines(const std::vector<CpuDomains> &cpus, int columns) {
    struct Level {
        std::string name, flags;
        std::vector<CpuSet> spans;
    };
    std::vector<Level> levels;
    for (const CpuDomains &cpu : cpus)
        for (const Domain &domain : cpu.levels) {
            const std::string flags = fmt::format("{}", fmt::join(domain.flags, " "));
            auto level = std::ranges::find_if(
                levels, [&](const Level &l) { return l.name == domain.name && l.flags == flags; });
            if (level == levels.end())
                level = levels.insert(level, {domain.name, flags, {}});
            if (std::ranges::find(level->spans, domain.span) == level->spans.end())
                level->spans.push_back(domain.span);
        }
    std::string text;
    for (const Level &level : levels) {
        std::string spans;
        for (const CpuSet &span : level.spans)
            spans += (spans.empty() ? "" : " | ") + span.to_list();
        text += fmt::format("  {:<4} {}\n", level.name, spans);
        text += wrap(level.flags, 7, columns);
    }
    return text;
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

// "5", or "5 and 7" where the arms differ.
std::string boots(const ComparisonReport &report) {
    const std::size_t a = report.a.seeds.size(), b = report.b.seeds.size();
    return a == b ? fmt::format("{} boots per arm", a) : fmt::format("{} and {} boots", a, b);
}

std::string head(const ComparisonReport &report, int columns) {
    std::string text = fmt::format("machine {}{}{}\n", report.machine.empty() ? "not known" : report.machine,
                                   report.emulated ? " (emulated)" : "",
                                   report.domains.empty() ? "" : ", its domains verified in every boot");
    text += domain_lines(report.domains, columns);
    text += fmt::format("a: {}\nb: {}\nload: {}{}; {}\n", report.a.title, report.b.title, report.load,
                        option_words(report.options), boots(report));
    if (report.looks)
        text += wrap(fmt::format("ended at look {}; intervals and verdicts are made so that they hold at 95 % at all looks "
                                 "together", report.looks), 0, columns);
    return text;
}

std::string evidence(const ComparisonReport &report) {
    std::string text;
    for (const Comparison &c : report.metrics)
        if (c.primary)
            text += fmt::format("{}{} {} -> {}", text.empty() ? "" : ", ", c.metric.name,
                                number(c.metric, c.median_a), number(c.metric, c.median_b));
    return text;
}

std::string settling(const ComparisonReport &report) {
    for (const Comparison &c : report.metrics)
        if (c.primary && c.boots_to_settle)
            return fmt::format("; about {:.0f} boots per arm would settle it", *c.boots_to_settle);
    return {};
}

std::string sentence(const ComparisonReport &report) {
    const std::string on = report.machine.empty() ? "" : "on " + report.machine + " ";
    const std::string where = on + "under " + report.load;
    const std::string medians =
        fmt::format("{} (medians of {})", evidence(report), boots(report));
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

} // namespace

std::string comparison_text(const ComparisonReport &report, const Terminal &terminal) {
    std::string text = head(report, terminal.columns) + "\n" + tables(report, terminal) + "\n";
    for (const std::string &warning : report.warnings)
        text += wrap("warning: " + warning, 0, terminal.columns);
    for (const ReportedLoss &lost : report.losses)
        text += fmt::format("lost: arm {}, seed {}: {} {}\n", lost.arm, lost.seed, lost.loss.source,
                            lost.loss.count);
    text += paint(wrap(sentence(report), 0, terminal.columns), color_of(conclusion(report.metrics)), terminal);
    for (const Explanation &e : explain(report.metrics))
        text += wrap(e.text, 2, terminal.columns);
    return text + wrap(report.kept_in, 0, terminal.columns);
}

} // namespace schedlab
