// SPDX-License-Identifier: GPL-2.0-or-later
#include <algorithm>
#include <fmt/format.h>

#include "core/explain.h"
#include "report/comparison_words.h"
#include "report/sparkline.h"
#include "report/table.h"

namespace schedlab {

namespace {

Color color_of(const std::optional<Verdict> &verdict) {
    if (verdict == Verdict::better)
        return Color::green;
    if (verdict == Verdict::worse)
        return Color::red;
    return verdict == Verdict::unknown ? Color::yellow : Color::none;
}

std::string legend(const std::vector<Comparison> &comparisons) {
    const auto any = [&](auto matches) { return std::ranges::any_of(comparisons, matches); };
    std::string text;
    if (any([](const Comparison &c) { return verdict_words(c) == "emulated"; }))
        text += "  emulated: time on an emulated machine gets no verdict\n";
    if (any(is_modelled))
        text += "  modelled: what the machine's timing model predicts, not a measurement\n";
    if (any([](const Comparison &c) { return verdict_words(c) == "changed"; }))
        text += "  changed: neither direction is better\n";
    if (any([](const Comparison &c) { return c.boots_to_settle.has_value(); }))
        text += "  unknown ~N: about N boots per arm would settle it\n";
    return text;
}

std::vector<Field> row_of(const Comparison &c, bool sparklines) {
    std::vector<Field> row = {{metric_words(c)},
                              {value_words(c.metric, c.median_a)},
                              {value_words(c.metric, c.median_b)},
                              {change_words(c)},
                              {interval_words(c)},
                              {verdict_words(c), color_of(c.verdict)}};
    if (sparklines)
        row.insert(row.end() - 1, Field{sparkline_pair(c.a, c.b)});
    return row;
}

// One table for both parts, so that their columns line up.
std::string tables(const ComparisonReport &report, const Terminal &terminal) {
    std::vector<std::string> titles = {"", "a", "b", "change", "95 % interval", "verdict"};
    if (terminal.unicode)
        titles.insert(titles.end() - 1, "boots of a, of b");
    Table table(titles);
    for (const bool primary : {true, false})
        for (const Comparison &c : report.metrics)
            if (c.primary == primary && !in_ledger(c))
                table.add(row_of(c, terminal.unicode));
    table.section("placement ledger");
    std::string zero;
    for (const Comparison &c : report.metrics) {
        if (!in_ledger(c) || has_share(c, report.metrics) || between_cpus(c))
            continue;
        if (is_zero(c))
            zero += (zero.empty() ? "" : ", ") + c.metric.name;
        else
            table.add(row_of(c, terminal.unicode));
    }
    // What a narrow terminal can do without first.
    std::string text = table.render(terminal, terminal.unicode ? std::vector<std::size_t>{5, 3, 4} : std::vector<std::size_t>{3, 4});
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

std::string head(const ComparisonReport &report, int columns) {
    std::string text = fmt::format("machine {}{}{}\n", report.machine.empty() ? "not known" : report.machine,
                                   report.emulated ? " (emulated)" : "",
                                   report.domains.empty() ? "" : ", its domains verified in every boot");
    text += domain_lines(report.domains, columns);
    text += fmt::format("a: {}\nb: {}\nload: {}{}; {}\n", report.a.title, report.b.title, report.load,
                        option_words(report.options), boots_words(report));
    return text + wrap(looks_sentence(report), 0, columns);
}

// Besides the change: a kernel's configuration can differ in thousands of options, which a terminal need not show.
std::string differences(const char *title, const std::vector<ReportedDifference> &all, int columns) {
    constexpr std::size_t shown = 20;
    if (all.empty())
        return {};
    std::string text = fmt::format("{} (a -> b):\n", title);
    for (std::size_t i = 0; i < std::min(shown, all.size()); ++i)
        text += wrap(difference_words(all[i]), 2, columns);
    if (all.size() > shown)
        text += wrap(fmt::format("and {} more, which all other formats have", all.size() - shown), 2, columns);
    return text;
}

} // namespace

std::string comparison_text(const ComparisonReport &report, const Terminal &terminal) {
    std::string text = head(report, terminal.columns) + "\n" + tables(report, terminal) + "\n";
    text += differences("other environment", report.environment, terminal.columns);
    text += differences("other configuration", report.configuration, terminal.columns);
    for (const std::string &warning : report.warnings)
        text += wrap("warning: " + warning, 0, terminal.columns);
    for (const ReportedLoss &lost : report.losses)
        text += wrap("lost: " + loss_words(lost), 0, terminal.columns);
    text += paint(wrap(conclusion_sentence(report), 0, terminal.columns), color_of(conclusion(report.metrics)), terminal);
    for (const Explanation &e : explain(report.metrics))
        text += wrap(e.text, 2, terminal.columns);
    return text + wrap(report.kept_in, 0, terminal.columns);
}

} // namespace schedlab
