// SPDX-License-Identifier: GPL-2.0-or-later
#include <algorithm>
#include <fmt/format.h>

#include "core/topology.h"
#include "report/comparison_words.h"
#include "report/format.h"
#include "report/html.h"

namespace schedlab {

namespace {

constexpr std::size_t most_charts = 12; // in sight; the rest is folded away

const Comparison *find(const ComparisonReport &report, const std::string &name) {
    const auto at = std::ranges::find(report.metrics, name, [](const Comparison &c) { return c.metric.name; });
    return at == report.metrics.end() ? nullptr : &*at;
}

std::string fact(const char *name, const std::string &value) {
    return value.empty() ? "" : fmt::format("<dt>{}</dt><dd>{}</dd>\n", name, escaped(value));
}

std::string head(const ComparisonReport &report) {
    const std::optional<Verdict> verdict = conclusion(report.metrics);
    std::string text = fmt::format("<h1 class=\"{}\">{}</h1>\n", verdict ? to_string(*verdict) : "none",
                                   escaped(conclusion_sentence(report)));
    for (const std::string &warning : report.warnings)
        text += fmt::format("<p class=\"warning\" role=\"note\"><strong>Warning:</strong> {}</p>\n", escaped(warning));
    for (const ReportedLoss &lost : report.losses)
        text += fmt::format("<p class=\"warning\" role=\"note\">Lost: arm {}, seed {}: {} {}</p>\n", lost.arm, lost.seed,
                            escaped(lost.loss.source), lost.loss.count);
    text += "<dl>\n" + fact("a", report.a.title) + fact("b", report.b.title) +
            fact("machine", report.machine + (report.emulated ? " (emulated)" : "")) +
            fact("load", report.load + option_words(report.options)) + fact("boots", boots_words(report)) +
            fact("made at", report.made_at) + "</dl>\n";
    return report.command.empty() ? text : text + "<pre tabindex=\"0\">" + escaped(report.command) + "</pre>\n";
}

std::string verdict_row(const Comparison &c) {
    return fmt::format("<tr{} data-metric=\"{}\"><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td>"
                       "<td class=\"{}\" title=\"{}\">{}</td></tr>\n",
                       c.primary ? " class=\"primary\"" : "", escaped(c.metric.name), escaped(metric_words(c)),
                       value_words(c.metric, c.median_a), value_words(c.metric, c.median_b), change_words(c),
                       interval_words(c), interval_chart(c), c.verdict ? to_string(*c.verdict) : "none", escaped(c.reason),
                       verdict_words(c));
}

std::string verdict_table(const ComparisonReport &report) {
    std::string rows, zero;
    for (const Comparison *c : worst_first(report.metrics))
        if (is_zero(*c))
            zero += (zero.empty() ? "" : ", ") + escaped(c->metric.name);
        else
            rows += verdict_row(*c);
    std::string text = "<h2 id=\"verdicts\">Verdicts</h2>\n<p>What decides is bold. The bar is the 95 % interval of the change, "
                       "on one axis for all metrics: ticks at 1, 10 and 100 % of the larger median.</p>\n"
                       "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"verdicts\"><table><thead><tr><th>metric"
                       "</th><th>a</th><th>b</th><th>change</th><th>95 % interval</th><th></th><th>verdict</th></tr></thead>\n"
                       "<tbody>\n" + rows + "</tbody></table></div>\n";
    return zero.empty() ? text : text + "<p>0 in every run: " + zero + "</p>\n";
}

std::string figure(const Comparison &c, const std::string &chart) {
    return fmt::format("<figure><h3>{}</h3>{}</figure>\n", escaped(c.metric.name), chart);
}

bool moved(const Comparison &c) { return c.a != c.b && !is_zero(c); }

std::string distributions(const ComparisonReport &report) {
    std::string shown, folded;
    std::size_t count = 0;
    for (const Comparison *c : worst_first(report.metrics))
        if (moved(*c))
            (count++ < most_charts ? shown : folded) += figure(*c, ecdf_chart(*c));
    if (shown.empty())
        return {};
    std::string text = "<h2 id=\"distributions\">Distributions over boots</h2>\n<p class=\"key\">The part of all boots at or below "
                       "a value: <span class=\"a\">a dashed</span>, <span class=\"b\">b solid</span>.</p>\n<div class=\"charts\">\n" +
                       shown + "</div>\n";
    return folded.empty() ? text
                          : text + "<details><summary>All other metrics that moved</summary><div class=\"charts\">\n" + folded +
                                "</div></details>\n";
}

std::string share_cells(const ComparisonReport &report, const std::string &origin, bool of_b) {
    std::string cells;
    for (int d = 0; d < distance_count; ++d) {
        const Comparison *c = find(report, fmt::format("wake.{}.{}.share", origin, to_string(Distance(d))));
        const double part = !c ? 0 : of_b ? c->median_b : c->median_a;
        cells += fmt::format("<td class=\"heat\" style=\"--part:{:.3f}\">{}</td>", part, c ? value_words(c->metric, part) : "-");
    }
    return cells;
}

// Where wakeups went: the share at each distance, from the previous CPU and from the waker's.
std::string distance_matrix(const ComparisonReport &report) {
    if (!find(report, "wake.prev.same.share"))
        return {};
    std::string text = "<h2 id=\"ledger\">Where wakeups went</h2>\n<p>Medians of the share of all wakeups at each distance.</p>\n"
                       "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"wakeups by distance\"><table><thead><tr>"
                       "<th>chosen CPU, seen from</th><th>arm</th>";
    for (int d = 0; d < distance_count; ++d)
        text += fmt::format("<th>{}</th>", to_string(Distance(d)));
    text += "</tr></thead>\n<tbody>\n";
    for (const auto &[origin, title] : {std::pair("prev", "the task's previous CPU"), std::pair("waker", "the waker's CPU")})
        for (const bool of_b : {false, true})
            text += fmt::format("<tr><td>{}</td><td>{}</td>{}</tr>\n", of_b ? "" : title, of_b ? "b" : "a",
                                share_cells(report, origin, of_b));
    return text + "</tbody></table></div>\n";
}

std::string migration_row(const Comparison &c, double most) {
    const auto bar = [&](double value, const char *arm) {
        return fmt::format("<td style=\"text-align:left\"><span class=\"bar {}\" style=\"width:{:.1f}rem\"></span> {}</td>", arm,
                           most > 0 ? 12 * value / most : 0, value_words(c.metric, value));
    };
    return fmt::format("<tr><td>{}</td>{}{}</tr>\n", escaped(c.metric.name.substr(sizeof("migrations.") - 1)),
                       bar(c.median_a, "a"), bar(c.median_b, "b"));
}

std::string migrations(const ComparisonReport &report) {
    double most = 0;
    for (const Comparison &c : report.metrics)
        if (c.metric.name.starts_with("migrations.") && !is_zero(c))
            most = std::max({most, c.median_a, c.median_b});
    std::string rows;
    for (const Comparison &c : report.metrics)
        if (c.metric.name.starts_with("migrations.") && !is_zero(c))
            rows += migration_row(c, most);
    return rows.empty() ? "" : "<h2 id=\"migrations\">Migrations by cause and distance</h2>\n<div class=\"scroll\" tabindex=\"0\" "
                               "role=\"region\" aria-label=\"migrations\"><table><thead><tr><th></th><th style=\"text-align:left\">a"
                               "</th><th style=\"text-align:left\">b</th></tr></thead><tbody>\n" + rows + "</tbody></table></div>\n";
}

std::string over_time(const ComparisonReport &report) {
    std::string charts;
    for (const Comparison &c : report.metrics)
        if (c.primary && !is_zero(c))
            charts += figure(c, time_chart(c, report));
    return charts.empty() || report.a.started_at.empty()
               ? ""
               : "<h2 id=\"time\">Runs over time</h2>\n<p class=\"key\">In the order in which they began, with the medians: <span "
                 "class=\"a\">a rings</span>, <span class=\"b\">b dots</span>. A slope that both share is drift.</p>\n"
                 "<div class=\"charts\">\n" + charts + "</div>\n";
}

std::string difference_table(const char *id, const char *title, const std::vector<ReportedDifference> &all) {
    std::string rows;
    for (const ReportedDifference &d : all)
        rows += fmt::format("<tr><td>{}</td><td class=\"wrap\">{}</td><td class=\"wrap\">{}</td></tr>\n", escaped(d.name),
                            escaped(d.a), escaped(d.b));
    return fmt::format("<h2 id=\"{}\">{}</h2>\n", id, title) +
           (rows.empty() ? "<p>None that schedlab knows of.</p>\n"
                         : "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"" + std::string(title) +
                               "\"><table><thead><tr><th></th><th>a</th><th>b</th></tr></thead><tbody>\n" + rows +
                               "</tbody></table></div>\n");
}

} // namespace

std::string escaped(std::string_view text) {
    std::string safe;
    for (const char c : text)
        switch (c) {
        case '&': safe += "&amp;"; break;
        case '<': safe += "&lt;"; break;
        case '>': safe += "&gt;"; break;
        case '"': safe += "&quot;"; break;
        default: safe += c;
        }
    return safe;
}

std::string comparison_html(const ComparisonReport &report) {
    std::string text = "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">"
                       "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
                       "<link rel=\"icon\" href=\"data:,\">\n<title>" +
                       escaped("schedlab: " + report.load + (report.machine.empty() ? "" : " on " + report.machine)) +
                       "</title>\n<style>" + std::string(html_style) + "</style></head>\n<body>\n"
                       "<a class=\"skip\" href=\"#verdicts\">Skip to the verdicts</a>\n<main>\n" + head(report);
    const std::string parts = verdict_table(report) + distributions(report) + distance_matrix(report) + migrations(report) +
                              over_time(report) +
                              difference_table("environment", "Differences of the environment", report.environment) +
                              difference_table("configuration", "Differences of the configuration", report.configuration);
    std::string links;
    for (const auto &[id, title] : {std::pair("verdicts", "verdicts"), std::pair("distributions", "distributions"),
                                    std::pair("ledger", "wakeups"), std::pair("migrations", "migrations"),
                                    std::pair("time", "over time"), std::pair("environment", "environment"),
                                    std::pair("configuration", "configuration")})
        if (parts.find(fmt::format("id=\"{}\"", id)) != parts.npos)
            links += fmt::format("<a href=\"#{}\">{}</a>", id, title);
    return text + "<nav aria-label=\"parts\">" + links + "</nav>\n" + parts + "</main></body></html>\n";
}

} // namespace schedlab
