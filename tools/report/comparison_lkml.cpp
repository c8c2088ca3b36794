// SPDX-License-Identifier: GPL-2.0-or-later
#include <fmt/format.h>

#include "core/explain.h"
#include "report/comparison_words.h"
#include "report/format.h"
#include "report/table.h"

namespace schedlab {

namespace {

constexpr int columns = 72;              // of a mail's line
constexpr Terminal mail{false, false, columns};

// Broken behind commas and blanks, with a backslash as a shell wants it.
std::string command_lines(const std::string &command) {
    std::string text = wrap(command, 2, columns - 2);
    for (std::size_t at = text.find('\n'); at + 1 < text.size(); at = text.find('\n', at + 3))
        text.insert(at, " \\");
    return text;
}

std::string tables(const ComparisonReport &report) {
    const std::vector<std::string> titles = {"", "a", "b", "change", "95 % interval", "verdict"};
    Table decisive(titles), ledger(titles);
    std::string zero;
    bool decided = false; // did the scheduler decide anything that is not 0?
    for (const Comparison *c : worst_first(report.metrics)) {
        if (has_share(*c, report.metrics) || between_cpus(*c))
            continue;
        if (is_zero(*c)) {
            zero += (zero.empty() ? "" : ", ") + c->metric.name;
            continue;
        }
        decided |= in_ledger(*c);
        (in_ledger(*c) ? ledger : decisive)
            .add({{metric_words(*c) + (c->primary ? " *" : "")},
                  {value_words(c->metric, c->median_a)},
                  {value_words(c->metric, c->median_b)},
                  {change_words(*c)},
                  {interval_words(*c)},
                  {verdict_words(*c)}});
    }
    std::string text = decisive.render(mail, {4, 3});
    if (decided)
        text += "\nThe scheduler's decisions:\n\n" + ledger.render(mail, {4, 3});
    if (!zero.empty())
        text += "\n" + wrap("0 in every run: " + zero, 0, columns);
    return text;
}

std::string differences(const std::string &title, const std::vector<ReportedDifference> &all) {
    if (all.empty())
        return {};
    std::string text = "\n" + title + " (a -> b):\n";
    for (const ReportedDifference &d : all)
        text += wrap(difference_words(d), 2, columns);
    return text;
}

} // namespace

std::string comparison_lkml(const ComparisonReport &report) {
    std::string text = wrap(conclusion_sentence(report), 0, columns);
    for (const Explanation &e : explain(report.metrics))
        text += wrap(e.text, 2, columns);
    text += wrap(looks_sentence(report), 0, columns) + "\n";
    for (const std::string &warning : report.warnings)
        text += wrap("warning: " + warning, 0, columns);
    for (const ReportedLoss &lost : report.losses)
        text += wrap("lost: " + loss_words(lost), 0, columns);
    text += wrap("  a: " + report.a.title, 0, columns) + wrap("  b: " + report.b.title, 0, columns);
    text += wrap(fmt::format("  machine: {}{}", report.machine.empty() ? "not known" : report.machine,
                             report.emulated ? " (emulated)" : ""), 0, columns);
    text += wrap(fmt::format("  load: {}{}; {}", report.load, option_words(report.options), boots_words(report)), 0, columns);
    text += "\n" + tables(report) + "\n" +
            wrap("Medians over boots; change: Hodges and Lehmann's shift with a 95 % interval. * decides; p of the exact "
                 "rank-sum test is corrected (Holm for these, Benjamini and Hochberg for the rest).",
                 0, columns);
    if (!report.command.empty())
        text += "\nTo repeat it:\n" + command_lines(report.command);
    text += differences("Environment", report.environment);
    return text + differences("Configuration", report.configuration);
}

} // namespace schedlab
