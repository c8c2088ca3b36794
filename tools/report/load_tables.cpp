// SPDX-License-Identifier: GPL-2.0-or-later
#include "report/load_tables.h"

#include <fmt/format.h>

namespace schedlab {
namespace {

// What stands before metrics called `name`: "" for the load's own, "ui." for those of a mix's load called ui.
std::vector<std::string> prefixes_of(const Record &record, std::string_view name) {
    std::vector<std::string> prefixes;
    for (const Metric &metric : record.metrics)
        if (metric.name.ends_with(name)) {
            const std::string prefix = metric.name.substr(0, metric.name.size() - name.size());
            if (prefix.empty() || prefix.ends_with('.'))
                prefixes.push_back(prefix);
        }
    return prefixes;
}

class Taker {
public:
    Taker(const Record &record, std::set<std::string> &shown) : record_(record), shown_(shown) {}

    double value(const std::string &name) {
        shown_.insert(name);
        const Metric *metric = record_.find(name);
        return metric ? metric->value : 0;
    }

private:
    const Record &record_;
    std::set<std::string> &shown_;
};

std::string frames_table(Taker &take, const std::string &prefix) {
    constexpr const char *columns[] = {"mean", "std", "p25", "p50", "p75", "p95", "p99"};
    std::string text = fmt::format("\n  {:<12} {:>6} {:>7} {:>7} {:>7} {:>7} {:>7} {:>7} {:>7} {:>6}\n",
                                   "frames, ms", "count", "mean", "std", "25 %", "50 %", "75 %", "95 %", "99 %",
                                   "janks");
    text += fmt::format("  {:<12} {:>6}", prefix, take.value(prefix + "frames"));
    for (const char *column : columns)
        text += fmt::format(" {:>7.2f}", take.value(prefix + "frame_ms." + column));
    return text + fmt::format(" {:>6}\n", take.value(prefix + "janks"));
}

std::string hogs_table(const Record &record, Taker &take, const std::string &prefix) {
    std::string text = fmt::format("\n  {:<12} {:>4} {:>4} {:>6} {:>6}\n", prefix, "task", "CPU", "%CPU", "moves");
    for (int i = 0; record.find(fmt::format("{}share.task{}", prefix, i)); ++i) {
        const auto of = [&](const char *what) { return take.value(fmt::format("{}{}.task{}", prefix, what, i)); };
        text += fmt::format("  {:<12} {:>4} {:>4} {:>6.1f} {:>6}\n", "", i, of("cpu"), 100 * of("share"),
                            of("moves"));
    }
    return text;
}

} // namespace

std::string load_tables(const Record &record, std::set<std::string> &shown) {
    Taker take(record, shown);
    std::string text;
    for (const std::string &prefix : prefixes_of(record, "frame_ms.mean"))
        text += frames_table(take, prefix);
    for (const std::string &prefix : prefixes_of(record, "share.task0"))
        text += hogs_table(record, take, prefix);
    return text;
}

} // namespace schedlab
