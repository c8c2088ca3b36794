// SPDX-License-Identifier: GPL-2.0-or-later
#include "report/gate_report.h"

#include <algorithm>
#include <fmt/format.h>

#include "report/html.h"
#include "report/table.h"

namespace schedlab {

namespace {

enum class Line { ok, failed, skipped };

Line line_of(const GateResult &result, bool lenient) {
    if (result.outcome == GateOutcome::passed)
        return Line::ok;
    return lenient && result.outcome == GateOutcome::undecided ? Line::skipped : Line::failed;
}

Color color_of(GateOutcome outcome) {
    return outcome == GateOutcome::passed   ? Color::green
           : outcome == GateOutcome::failed ? Color::red
                                            : Color::yellow;
}

} // namespace

bool GateReport::passed() const {
    return std::ranges::none_of(results, [&](const GateResult &r) { return line_of(r, lenient) == Line::failed; });
}

std::string gate_text(const GateReport &report, const Terminal &terminal) {
    std::string text = wrap(report.subject, 0, terminal.columns);
    for (const GateResult &result : report.results)
        text += paint(fmt::format("{:<9}", to_string(result.outcome)), color_of(result.outcome), terminal) + " " +
                result.rule.metric + "\n" + wrap(result.reason, 10, terminal.columns);
    for (const std::string &warning : report.warnings)
        text += wrap("warning: " + warning, 0, terminal.columns);
    return text + (report.passed() ? "The gate is passed.\n" : "The gate is not passed.\n");
}

std::string gate_ktap(const GateReport &report) {
    std::string text = fmt::format("KTAP version 1\n1..{}\n# {}\n", report.results.size(), report.subject);
    for (const std::string &warning : report.warnings)
        text += fmt::format("# warning: {}\n", warning);
    std::size_t number = 0;
    for (const GateResult &result : report.results) {
        const Line line = line_of(result, report.lenient);
        text += fmt::format("# {}: {}: {}\n{} {} {}{}\n", result.rule.metric, to_string(result.outcome), result.reason,
                            line == Line::failed ? "not ok" : "ok", ++number, result.rule.metric,
                            line == Line::skipped ? " # SKIP undecided" : "");
    }
    return text;
}

std::string gate_junit(const GateReport &report) {
    const auto count = [&](Line line) {
        return std::ranges::count_if(report.results, [&](const GateResult &r) { return line_of(r, report.lenient) == line; });
    };
    std::string xml = fmt::format("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                                  "<testsuite name=\"schedlab gate: {}\" tests=\"{}\" failures=\"{}\" skipped=\"{}\">\n",
                                  escaped(report.subject), report.results.size(), count(Line::failed),
                                  count(Line::skipped));
    for (const GateResult &result : report.results) {
        const std::string message = escaped(fmt::format("{}: {}", to_string(result.outcome), result.reason));
        xml += fmt::format("  <testcase classname=\"schedlab.gate\" name=\"{}\">", escaped(result.rule.metric));
        switch (line_of(result, report.lenient)) {
        case Line::ok: xml += fmt::format("<system-out>{}</system-out>", message); break;
        case Line::failed: xml += fmt::format("<failure message=\"{}\"/>", message); break;
        case Line::skipped: xml += fmt::format("<skipped message=\"{}\"/>", message); break;
        }
        xml += "</testcase>\n";
    }
    if (!report.warnings.empty())
        xml += fmt::format("  <system-err>{}</system-err>\n", escaped(fmt::format("{}", fmt::join(report.warnings, "\n"))));
    return xml + "</testsuite>\n";
}

} // namespace schedlab
