// SPDX-License-Identifier: GPL-2.0-or-later
#include <fmt/format.h>

#include "core/explain.h"
#include "report/comparison_words.h"
#include "report/format.h"

namespace schedlab {

namespace {

// Text that a table's cell shows as it is.
std::string cell(const std::string &text) {
    std::string escaped;
    for (const char c : text) {
        if (std::string_view("|\\`*_<>[]").find(c) != std::string_view::npos)
            escaped += '\\';
        escaped += c == '\n' ? ' ' : c;
    }
    return escaped;
}

std::string row(const Comparison &c) {
    const std::string name = cell(metric_words(c));
    return fmt::format("| {} | {} | {} | {} | {} | {} |\n", c.primary ? "**" + name + "**" : name,
                       value_words(c.metric, c.median_a), value_words(c.metric, c.median_b), change_words(c),
                       interval_words(c), verdict_words(c));
}

std::string differences(const char *title, const std::vector<ReportedDifference> &all) {
    if (all.empty())
        return {};
    std::string text = fmt::format("\n### {}\n\n| | a | b |\n|---|---|---|\n", title);
    for (const ReportedDifference &d : all)
        text += fmt::format("| {} | {} | {} |\n", cell(d.name), cell(d.a), cell(d.b));
    return text;
}

} // namespace

std::string comparison_markdown(const ComparisonReport &report) {
    std::string text = fmt::format("## {}\n\n", cell(conclusion_sentence(report)));
    for (const Explanation &e : explain(report.metrics))
        text += fmt::format("{}\n\n", cell(e.text));
    if (report.looks)
        text += cell(looks_sentence(report)) + "\n\n";
    for (const std::string &warning : report.warnings)
        text += fmt::format("> **Warning:** {}\n\n", cell(warning));
    for (const ReportedLoss &lost : report.losses)
        text += fmt::format("> **Lost:** {}\n\n", cell(loss_words(lost)));
    text += fmt::format("* a: {}\n* b: {}\n* machine: {}{}\n* load: `{}{}`; {}\n", cell(report.a.title),
                        cell(report.b.title), report.machine.empty() ? "not known" : cell(report.machine),
                        report.emulated ? " (emulated)" : "", report.load, option_words(report.options),
                        boots_words(report));
    if (!report.command.empty())
        text += fmt::format("\n```\n{}\n```\n", report.command);
    text += "\n| metric | a | b | change | 95 % interval | verdict |\n|---|---:|---:|---:|---:|---|\n";
    std::string zero;
    for (const Comparison *c : worst_first(report.metrics)) {
        if (has_share(*c, report.metrics) || between_cpus(*c))
            continue;
        if (is_zero(*c))
            zero += (zero.empty() ? "" : ", ") + cell(c->metric.name);
        else
            text += row(*c);
    }
    if (!zero.empty())
        text += fmt::format("\n0 in every run: {}\n", zero);
    text += differences("Differences of the environment", report.environment);
    return text + differences("Differences of the configuration", report.configuration);
}

} // namespace schedlab
