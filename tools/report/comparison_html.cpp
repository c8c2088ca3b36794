// SPDX-License-Identifier: GPL-2.0-or-later
#include <fmt/format.h>
#include <vector>

#include "core/explain.h"
#include "core/trend.h"
#include "report/comparison_words.h"
#include "report/format.h"
#include "report/html.h"

namespace schedlab {

namespace {

constexpr std::size_t most_charts = 12; // in sight; the rest is folded away
constexpr double rare = 0.01;           // the level of warnings

std::string fact(const char *name, const std::string &value) {
    return value.empty() ? "" : fmt::format("<dt>{}</dt><dd>{}</dd>\n", name, escaped(value));
}

std::string head(const ComparisonReport &report) {
    const std::optional<Verdict> verdict = conclusion(report.metrics);
    std::string text = fmt::format("<h1 class=\"{}\">{}</h1>\n", verdict ? to_string(*verdict) : "none",
                                   escaped(conclusion_sentence(report)));
    for (const Explanation &e : explain(report.metrics))
        text += fmt::format("<p class=\"why\" data-agreement=\"{}\">{}</p>\n", to_string(e.agreement), escaped(e.text));
    if (report.looks)
        text += "<p>" + escaped(looks_sentence(report)) + "</p>\n";
    for (const std::string &warning : report.warnings)
        text += fmt::format("<p class=\"warning\" role=\"note\"><strong>Warning:</strong> {}</p>\n", escaped(warning));
    for (const ReportedLoss &lost : report.losses)
        text += fmt::format("<p class=\"warning\" role=\"note\"><strong>Lost:</strong> {}</p>\n", escaped(loss_words(lost)));
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
    for (const Comparison *c : worst_first(report.metrics)) {
        if (between_cpus(*c))
            continue;
        if (is_zero(*c))
            zero += (zero.empty() ? "" : ", ") + escaped(c->metric.name);
        else
            rows += verdict_row(*c);
    }
    std::string text = "<h2 id=\"verdicts\">Verdicts</h2>\n<p>What decides is bold. The bar is the 95 % interval of the change, "
                       "on one axis for all metrics: ticks at 1, 10 and 100 % of the larger median.</p>\n"
                       "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"verdicts\"><table class=\"verdicts\"><thead><tr><th>metric"
                       "</th><th>a</th><th>b</th><th>change</th><th>95 % interval</th><th></th><th>verdict</th></tr></thead>\n"
                       "<tbody>\n" + rows + "</tbody></table></div>\n";
    return zero.empty() ? text : text + "<p>0 in every run: " + zero + "</p>\n";
}

std::string figure(const Comparison &c, const std::string &chart) {
    return fmt::format("<figure><h3>{}</h3>{}</figure>\n", escaped(c.metric.name), chart);
}

bool moved(const Comparison &c) { return c.a != c.b && !is_zero(c) && !between_cpus(c); }

std::string distributions(const ComparisonReport &report) {
    std::string shown, folded;
    std::size_t count = 0;
    for (const Comparison *c : worst_first(report.metrics))
        if (moved(*c))
            (count++ < most_charts ? shown : folded) += figure(*c, ecdf_chart(*c) + histogram_chart(*c));
    if (shown.empty())
        return {};
    std::string text = "<h2 id=\"distributions\">Distributions over boots</h2>\n<p class=\"key\">Above, the part of all boots at or "
                       "below a value: <span class=\"a\">a dashed</span>, <span class=\"b\">b solid</span>; below, how many boots have "
                       "about a value: <span class=\"a\">a outlined</span>, <span class=\"b\">b filled</span>.</p>\n<div class=\"charts\">\n" +
                       shown + "</div>\n";
    return folded.empty() ? text
                          : text + "<details><summary>All other metrics that moved</summary><div class=\"charts\">\n" + folded +
                                "</div></details>\n";
}

// A trend that both arms share is no effect of the change: the machine drifted.
std::string drift_words(const Comparison &c, const ComparisonReport &report) {
    std::vector<double> a, b;
    for (const TimedValue &point : in_time(c, report))
        (point.of_b ? b : a).push_back(point.value);
    const double p = trend_p(a, b);
    return fmt::format("<figcaption>{}: p = {:.2g}</figcaption>", p < rare ? "<strong>both arms drift</strong>" : "no shared drift", p);
}

std::string over_time(const ComparisonReport &report) {
    std::string charts;
    for (const Comparison &c : report.metrics)
        if (c.primary && !is_zero(c))
            charts += figure(c, time_chart(c, report) + drift_words(c, report));
    return charts.empty() || report.a.started_at.empty()
               ? ""
               : "<h2 id=\"time\">Runs over time</h2>\n<p class=\"key\">In the order in which they began: <span class=\"a\">a rings"
                 "</span>, <span class=\"b\">b dots</span>; dotted the medians, solid the slope of each arm.</p>\n"
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
    const std::string parts = verdict_table(report) + distributions(report) + distance_matrix(report) + migration_bars(report) +
                              migration_map(report) + over_time(report) +
                              difference_table("environment", "Differences of the environment", report.environment) +
                              difference_table("configuration", "Differences of the configuration", report.configuration);
    std::string links;
    for (const auto &[id, title] : {std::pair("verdicts", "verdicts"), std::pair("distributions", "distributions"),
                                    std::pair("ledger", "wakeups"), std::pair("migrations", "migrations"), std::pair("map", "map"),
                                    std::pair("time", "over time"), std::pair("environment", "environment"),
                                    std::pair("configuration", "configuration")})
        if (parts.find(fmt::format("id=\"{}\"", id)) != parts.npos)
            links += fmt::format("<a href=\"#{}\">{}</a>", id, title);
    return text + "<nav aria-label=\"parts\">" + links + "</nav>\n" + parts + "</main></body></html>\n";
}

} // namespace schedlab
