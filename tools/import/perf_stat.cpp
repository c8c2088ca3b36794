// SPDX-License-Identifier: GPL-2.0-or-later
// perf stat, as people read it and as -x, writes it. In the latter a row is value, unit, event and more; before these stand
// a group's name and its number of CPUs under --per-socket, --per-cluster and the like, a CPU's under -A. Behind them,
// the variance under -r stands before or after the time counted, by version: neither is looked at.
//
//   4321,,context-switches,1000342,100.00,,
//   S0-D0-CLS8,4,987654,,cycles,1000342,100.00,,
//
//        1,234,567      cycles                    #    3.1 GHz        ( +-  0.3% )
#include <algorithm>
#include <cctype>
#include <set>

#include "import/format.h"
#include "import/scan.h"

namespace schedlab {

namespace {

constexpr std::string_view beginning = "Performance counter stats for";

bool is_unit(std::string_view word) {
    constexpr std::string_view units[] = {"", "msec", "ns", "usec", "Joules", "MiB", "KiB", "GB", "MB"};
    return std::ranges::find(units, word) != std::end(units);
}

bool is_uncounted(std::string_view text) { return text == "<not counted>" || text == "<not supported>"; }

bool is_event(std::string_view text) { return !text.empty() && std::isalpha(static_cast<unsigned char>(text[0])); }

Metric metric_of(const std::string &name, std::string_view event, std::string_view unit, double value) {
    const bool decision = event.starts_with("context-switches") || event.starts_with("cs:") || event.starts_with("cpu-migrations") ||
                          event.starts_with("migrations");
    if (decision)
        return imported_count(name, Direction::lower_is_better, value);
    return imported_time(name, unit.empty() ? "1" : std::string(unit), Direction::lower_is_better, value);
}

class PerfStat : public LogParser {
protected:
    void keep(std::size_t number, const std::string &group, std::string_view event, std::string_view unit, std::string_view value) {
        const std::string name = (group.empty() ? "" : group + ".") + std::string(event);
        if (fresh_ || !seen_.insert(name).second) { // an event that comes again is of another run
            begin(number, "perf-stat");
            seen_ = {name};
            fresh_ = false;
        }
        if (const auto counted = number_in(value))
            results.back().record.metrics.push_back(metric_of(name, event, unit, *counted));
        else
            skip(number, name + " was " + std::string(value));
    }
    void next_run() { fresh_ = true; }
    void drop_empty() {
        std::erase_if(results, [](const ImportedResult &result) { return result.record.metrics.empty(); });
    }

public:
    void end() override { drop_empty(); }

private:
    bool fresh_ = true;
    std::set<std::string> seen_;
};

// Where the value stands in a -x, row: none of a row that is none.
std::optional<std::size_t> value_column(const std::vector<std::string_view> &fields) {
    for (std::size_t i = 0; i < 3 && i + 2 < fields.size(); ++i) {
        const std::string_view value = trimmed(fields[i]);
        if ((number_in(value) || is_uncounted(value)) && is_unit(fields[i + 1]) && is_event(fields[i + 2]))
            return i;
    }
    return std::nullopt;
}

class PerfStatCsv : public PerfStat {
public:
    void take(std::size_t number, std::string_view line) override {
        if (line.starts_with("# started on"))
            next_run();
        const std::vector<std::string_view> fields = fields_of(line, ',');
        if (const auto at = value_column(fields))
            keep(number, *at ? std::string(trimmed(fields[0])) : "", fields[*at + 2], fields[*at + 1], trimmed(fields[*at]));
        else if (!trimmed(line).empty() && !line.starts_with('#'))
            skip(number, "not a row of perf stat -x,");
    }
};

class PerfStatText : public PerfStat {
public:
    void take(std::size_t number, std::string_view line) override {
        if (holds(line, beginning)) {
            next_run();
            return;
        }
        const std::string_view text = trimmed(line.substr(0, line.find('#')));
        for (const std::string_view none : {"<not counted>", "<not supported>"})
            if (const auto event = rest_after(text, none))
                return keep(number, "", trimmed(*event), "", none);
        const std::vector<std::string_view> words = words_of(text);
        if (words.size() < 2 || !number_in(words[0]))
            return;
        if (holds(text, "seconds time elapsed"))
            return keep(number, "", "seconds", "s", words[0]);
        const bool has_unit = words.size() > 2 && is_unit(words[1]);
        const std::string_view event = words[has_unit ? 2 : 1];
        if (is_event(event) && event != "seconds" && words.size() <= std::size_t(has_unit ? 3 : 2) + 4)
            keep(number, "", event, has_unit ? words[1] : "", words[0]);
    }
};

} // namespace

const LogFormat perf_stat_format = {"perf stat", "perf stat", [](std::string_view line) { return holds(line, beginning); },
                                    [] { return std::unique_ptr<LogParser>(std::make_unique<PerfStatText>()); }};

const LogFormat perf_stat_csv_format = {
    "perf stat -x,", "perf stat -x,, also per cluster, core or CPU",
    [](std::string_view line) { return value_column(fields_of(line, ',')).has_value(); },
    [] { return std::unique_ptr<LogParser>(std::make_unique<PerfStatCsv>()); }};

} // namespace schedlab
