// SPDX-License-Identifier: GPL-2.0-or-later
#include <array>
#include <fmt/format.h>

#include "core/explain.h"
#include "report/comparison_words.h"
#include "report/format.h"

namespace schedlab {

namespace {

// The first column tells what a row is about; what a row does not have is empty.
enum Column {
    row, name, unit, cls, direction, kind, primary, boots_a, boots_b, a, b, scale, change, low, high, p, verdict, text, agreement,
    explanation, columns
};
using Row = std::array<std::string, columns>;

const Row titles = {"row",   "name", "unit",   "class", "direction", "kind", "primary", "boots_a", "boots_b",   "a",
                    "b",     "scale", "change", "low",  "high",      "p",    "verdict", "text",    "agreement", "explanation"};

std::string quoted(const std::string &field) {
    if (field.find_first_of(",\"\r\n") == field.npos)
        return field;
    std::string doubled;
    for (const char c : field)
        doubled += c == '"' ? "\"\"" : std::string(1, c);
    return "\"" + doubled + "\"";
}

std::string line(const Row &fields) {
    std::string joined;
    for (const std::string &field : fields)
        joined += (&field == &fields.front() ? "" : ",") + quoted(field);
    return joined + "\r\n";
}

std::string in_full(double number) { return fmt::format("{}", number); }

std::string word(const std::optional<Verdict> &verdict) { return verdict ? std::string(to_string(*verdict)) : ""; }

Row metric_row(const Comparison &c) {
    Row r;
    r[row] = "metric";
    r[name] = c.metric.name;
    r[unit] = c.metric.unit;
    r[cls] = to_string(c.metric.cls);
    r[direction] = to_string(c.metric.direction);
    r[kind] = to_string(c.metric.kind);
    r[primary] = c.primary ? "1" : "0";
    r[boots_a] = std::to_string(c.a.size());
    r[boots_b] = std::to_string(c.b.size());
    r[a] = in_full(c.median_a);
    r[b] = in_full(c.median_b);
    r[scale] = to_string(c.scale);
    r[change] = in_full(c.change);
    r[low] = c.interval ? in_full(c.interval->low) : "";
    r[high] = c.interval ? in_full(c.interval->high) : "";
    r[p] = in_full(c.p);
    r[verdict] = word(c.verdict);
    r[text] = c.reason;
    return r;
}

std::string metric_rows(const ComparisonReport &report) {
    const std::vector<Explanation> explanations = explain(report.metrics);
    std::string lines;
    for (const Comparison &c : report.metrics) {
        Row r = metric_row(c);
        for (const Explanation &e : explanations)
            if (e.metric == c.metric.name) {
                r[agreement] = to_string(e.agreement);
                r[explanation] = e.text;
            }
        lines += line(r);
    }
    return lines;
}

std::string text_row(const char *what, const std::string &sentence) {
    Row r;
    r[row] = what;
    r[text] = sentence;
    return line(r);
}

std::string difference_row(const char *what, const ReportedDifference &d) {
    Row r;
    r[row] = what;
    r[name] = d.name;
    r[a] = d.a;
    r[b] = d.b;
    return line(r);
}

} // namespace

std::string comparison_csv(const ComparisonReport &report) {
    Row ending;
    ending[row] = "conclusion";
    ending[verdict] = word(conclusion(report.metrics));
    ending[text] = conclusion_sentence(report);
    std::string lines = line(titles) + metric_rows(report) + line(ending);
    if (report.looks)
        lines += text_row("looks", looks_sentence(report));
    for (const std::string &warning : report.warnings)
        lines += text_row("warning", warning);
    for (const ReportedLoss &lost : report.losses)
        lines += text_row("loss", loss_words(lost));
    for (const ReportedDifference &d : report.environment)
        lines += difference_row("environment", d);
    for (const ReportedDifference &d : report.configuration)
        lines += difference_row("configuration", d);
    return lines;
}

} // namespace schedlab
