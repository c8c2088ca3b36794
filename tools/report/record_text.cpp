// SPDX-License-Identifier: GPL-2.0-or-later
#include "report/record_text.h"

#include <fmt/format.h>
#include <initializer_list>

#include "core/topology.h"
#include "report/load_tables.h"

namespace schedlab {
namespace {

bool is_of_task(const Metric &metric) {
    return metric.name.starts_with("task.") || metric.name.starts_with("command.");
}

bool in_ledger(const Metric &metric) {
    return metric.cls == MetricClass::placement &&
           (metric.name == "wakeups" || metric.name == "forks" || metric.name == "stacked" ||
            metric.name.starts_with("wake.") || metric.name.starts_with("missed.") ||
            metric.name.starts_with("migrations") || is_of_task(metric));
}

std::string number(const Metric &metric) {
    if (metric.kind == MetricKind::count)
        return fmt::format("{:.0f}", metric.value);
    if (metric.kind == MetricKind::share)
        return fmt::format("{:.1f} %", 100 * metric.value);
    return metric.value >= 1000 ? fmt::format("{:.0f}", metric.value) : fmt::format("{:.4g}", metric.value);
}

std::string cell(const Record &record, const std::string &name) {
    const Metric *metric = record.find(name);
    return metric ? number(*metric) : "-";
}

std::string own_metrics(const Record &record) {
    std::set<std::string> shown;
    const std::string tables = load_tables(record, shown);
    std::string text;
    for (const Metric &metric : record.metrics)
        if (!in_ledger(metric) && !shown.contains(metric.name))
            text += fmt::format("  {:<22} {:>12} {}{}\n", metric.name, number(metric),
                                metric.unit == "1" ? "" : metric.unit,
                                metric.cls == MetricClass::modelled ? " (modelled)" : "");
    return text + tables;
}

std::string wakeup_table(const Record &record) {
    std::string text = fmt::format("\n  {:<22}", "wakeups " + cell(record, "wakeups"));
    for (int d = 0; d < distance_count; ++d)
        text += fmt::format(" {:>8}", to_string(Distance(d)));
    text += "   in cluster\n";
    for (const std::string from : {"prev", "waker"}) {
        text += fmt::format("    {:<20}", "from " + from + "'s CPU");
        for (int d = 0; d < distance_count; ++d)
            text += fmt::format(" {:>8}", cell(record, fmt::format("wake.{}.{}.share", from, to_string(Distance(d)))));
        text += fmt::format(" {:>12}\n", cell(record, "wake." + from + ".within_cluster.share"));
    }
    return text;
}

std::string migration_row(const Record &record, const char *title, std::initializer_list<const char *> names) {
    std::string text = fmt::format("    {:<20}", title);
    for (const char *name : names)
        if (const Metric *metric = record.find(std::string("migrations.") + name))
            text += fmt::format(" {} {}", name, number(*metric));
    return text + "\n";
}

std::string migration_table(const Record &record) {
    return fmt::format("\n  migrations {}\n", cell(record, "migrations")) +
           migration_row(record, "by cause", {"wakeup", "exec", "balance", "affinity", "hotplug"}) +
           migration_row(record, "by distance", {"smt", "cluster", "llc", "node", "remote", "cap_up", "cap_down"}) +
           fmt::format("  forks {}, {} of them to another CPU\n", cell(record, "forks"),
                       cell(record, "migrations.fork"));
}

std::string miss_row(const Record &record) {
    std::string text = "    missed              ";
    for (const char *name : {"prev", "cluster", "idle"})
        if (const Metric *metric = record.find(std::string("missed.") + name))
            text += fmt::format(" {} {}", name, number(*metric));
    return text + fmt::format("; stacked {}\n", cell(record, "stacked"));
}

// A row per task or command, whose metrics ("task.COMM:PID.wakeups") stand together; the last word is the column.
std::string task_table(const Record &record) {
    std::string head, rows, last;
    for (const Metric &metric : record.metrics) {
        if (!is_of_task(metric))
            continue;
        const std::size_t dot = metric.name.rfind('.');
        const std::string row = metric.name.substr(0, dot), column = metric.name.substr(dot + 1);
        if (row != last)
            rows += fmt::format("\n  {:<28}", row);
        rows += fmt::format(" {:>{}}", number(metric), column.size());
        if (head.find(" " + column) == head.npos)
            head += " " + column;
        last = row;
    }
    return rows.empty() ? rows : fmt::format("\n  {:<28}{}{}\n", "", head, rows);
}

} // namespace

std::string record_text(const Record &record) {
    std::string text = own_metrics(record);
    if (record.find("wakeups"))
        text += wakeup_table(record) + miss_row(record) + migration_table(record) + task_table(record);
    for (const Loss &loss : record.losses)
        text += fmt::format("  lost: {} {}{}\n", loss.source, loss.count,
                            loss.severity == Severity::data_loss ? " (these counts are too low)" : "");
    for (const std::string &warning : record.warnings)
        text += "  warning: " + warning + "\n";
    return text;
}

} // namespace schedlab
