// SPDX-License-Identifier: GPL-2.0-or-later
// The HTML report's tables of the placement ledger.
#include <algorithm>
#include <fmt/format.h>

#include "core/topology.h"
#include "report/comparison_words.h"
#include "report/html.h"

namespace schedlab {

namespace {

std::string share_cells(const ComparisonReport &report, const std::string &origin, bool of_b) {
    std::string cells;
    for (int d = 0; d < distance_count; ++d) {
        const Comparison *c = find_metric(report, fmt::format("wake.{}.{}.share", origin, to_string(Distance(d))));
        const double part = !c ? 0 : of_b ? c->median_b : c->median_a;
        cells += fmt::format("<td class=\"heat\" style=\"--part:{:.3f}\">{}</td>", part, c ? value_words(c->metric, part) : "-");
    }
    return cells;
}

// By cause, distance or capacity: not from one group of CPUs to another, which the map shows.
bool is_bar(const Comparison &c) {
    return c.metric.name.starts_with("migrations.") && !between_cpus(c) && !is_zero(c);
}

std::string bar_row(const Comparison &c, double most) {
    const auto bar = [&](double value, const char *arm) {
        return fmt::format("<td class=\"bars\"><span class=\"bar {}\" style=\"width:{:.1f}rem\"></span> {}</td>", arm,
                           most > 0 ? 12 * value / most : 0, value_words(c.metric, value));
    };
    return fmt::format("<tr><td>{}</td>{}{}</tr>\n", escaped(c.metric.name.substr(sizeof("migrations.") - 1)),
                       bar(c.median_a, "a"), bar(c.median_b, "b"));
}

} // namespace

const Comparison *find_metric(const ComparisonReport &report, std::string_view name) {
    const auto at = std::ranges::find(report.metrics, name, [](const Comparison &c) { return std::string_view(c.metric.name); });
    return at == report.metrics.end() ? nullptr : &*at;
}

std::string distance_matrix(const ComparisonReport &report) {
    if (!find_metric(report, "wake.prev.same.share"))
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

std::string migration_bars(const ComparisonReport &report) {
    double most = 0;
    for (const Comparison &c : report.metrics)
        if (is_bar(c))
            most = std::max({most, c.median_a, c.median_b});
    std::string rows;
    for (const Comparison &c : report.metrics)
        if (is_bar(c))
            rows += bar_row(c, most);
    return rows.empty() ? "" : "<h2 id=\"migrations\">Migrations by cause and distance</h2>\n<div class=\"scroll\" tabindex=\"0\" "
                               "role=\"region\" aria-label=\"migrations\"><table><thead><tr><th></th><th class=\"bars\">a</th>"
                               "<th class=\"bars\">b</th></tr></thead><tbody>\n" + rows + "</tbody></table></div>\n";
}

} // namespace schedlab
