// SPDX-License-Identifier: GPL-2.0-or-later
#include "import/import.h"

#include <algorithm>
#include <fmt/format.h>

#include "core/error.h"
#include "core/printable.h"
#include "import/format.h"
#include "import/jankbench.h"
#include "import/lines.h"
#include "import/open_log.h"

namespace schedlab {

namespace {

constexpr std::size_t sniffed_lines = 2000; // within which a format must show

// What is told apart by a whole sentence stands before what is told by the shape of its lines.
const LogFormat *const formats[] = {
    &perf_bench_format, &hackbench_format, &schbench_format, &tbench_format,    &sysbench_format,      &stress_ng_format,
    &gfxinfo_format,    &cyclictest_format, &mmtests_format, &perf_stat_format, &perf_stat_csv_format, &netperf_format,
    &jankbench_format, &surfaceflinger_format, &rt_app_format, &unixbench_format, &schedstat_format, &perf_bench_simple_format};

struct Primary {
    std::string_view load, metric;
};
constexpr Primary primary[] = {{"messaging", "seconds"},        {"schbench", "wakeup_us.p99"},    {"schbench", "request_us.p99"}, {"schbench", "rps.average"},
                               {"sysbench", "ops_per_sec"},      {"cyclictest", "latency_us.max"}, {"cyclictest", "latency_us.avg"},
                               {"gfxinfo", "frame_ms.p95"},      {"gfxinfo", "janks"},
                               {"jankbench", "frame_ms.p95"},    {"jankbench", "janks"},
                               {"surfaceflinger", "frame_ms.p95"}, {"surfaceflinger", "janks"},
                               {"rt-app", "wakeup_us.p95"},      {"rt-app", "late"},
                               {"unixbench", "index"},           {"schedstat", "waited_ms"},
                               {"perf_bench", "seconds"},        {"trace", "migrations"}};

// Files that hold what could be read, if another program wrote it as text first.
struct Packed {
    std::string_view beginning, what, remedy;
};
constexpr auto page_remedy = "of pages, those are read that systrace wrote around the text of a trace; others pack it: save it as text";
constexpr Packed packed[] = {{"\x17\x08\x44tracing", "trace-cmd's own format", "'trace-cmd report FILE' writes it as text"},
                             {"PERFILE2", "perf's own format", "'perf script -i FILE' writes it as text"},
                             {"<!DOCTYPE html", "a page without a trace in its text", page_remedy},
                             {"<html", "a page without a trace in its text", page_remedy},
                             {"\xfd" "7zXZ", "packed by xz", "unpack it first: only gzip's files are read as they are"},
                             {"\x28\xb5\x2f\xfd", "packed by zstd", "unpack it first: only gzip's files are read as they are"}};

constexpr auto independence = "imported: each result counts as a boot of its own; results of one boot are more alike than "
                              "that, and verdicts on them too sure";

const LogFormat *format_of(const std::vector<std::string> &lines) {
    for (const LogFormat *format : formats)
        if (std::ranges::any_of(lines, [&](const std::string &line) { return format->recognizes(line); }))
            return format;
    return nullptr;
}

std::string reasons(const std::vector<Skipped> &skipped) {
    constexpr std::size_t shown = 3;
    std::string text;
    for (std::size_t i = 0; i < std::min(shown, skipped.size()); ++i)
        text += fmt::format("{}line {}: {}", text.empty() ? "" : "; ", skipped[i].line, skipped[i].reason);
    return skipped.size() > shown ? text + "; and " + more_skipped(skipped, shown) : text;
}

Imported finish(const LogFormat &format, LogParser &parser, const std::string &name) {
    parser.end();
    if (parser.results.empty())
        throw usage_error(fmt::format("{}: {} without a result", name, format.name), reasons(parser.skipped));
    for (ImportedResult &result : parser.results) {
        for (Metric &metric : result.record.metrics)
            metric.name = printable(metric.name);
        result.kernel = printable(result.kernel);
        result.record.warnings.push_back(independence);
    }
    return {format.name, std::move(parser.results), std::move(parser.skipped)};
}

} // namespace

Record &LogParser::begin(std::size_t line, const std::string &load) {
    results.push_back({});
    results.back().line = line;
    results.back().record.load = load;
    results.back().record.options = nlohmann::ordered_json::object();
    return results.back().record;
}

Metric imported_time(const std::string &name, const std::string &unit, Direction direction, double value) {
    return {name, unit, MetricClass::time, direction, MetricKind::value, value};
}

Metric imported_count(const std::string &name, Direction direction, double value) {
    return {name, "1", MetricClass::placement, direction, MetricKind::count, value};
}

void add_skipped(std::vector<Skipped> &skipped, std::size_t line, const std::string &reason) {
    if (skipped.size() < most_skipped)
        skipped.push_back({line, reason});
}

std::string more_skipped(const std::vector<Skipped> &skipped, std::size_t shown) {
    return fmt::format("{}{} more", skipped.size() < most_skipped ? "" : "at least ", skipped.size() - shown);
}

Imported import_log(std::istream &text, const std::string &name) {
    Lines lines(text);
    std::string_view line;
    std::vector<std::string> head;
    while (head.size() < sniffed_lines && lines.next(line))
        head.emplace_back(line);
    if (head.empty())
        throw usage_error(name + ": an empty file");
    const LogFormat *format = format_of(head);
    for (const Packed &p : packed)
        if (!format && head[0].starts_with(p.beginning))
            throw usage_error(fmt::format("{}: {}, which is not read", name, p.what), std::string(p.remedy));
    if (!format)
        throw usage_error(name + ": not a log that schedlab knows", "it knows:\n" + import_help());
    const std::unique_ptr<LogParser> parser = format->parser();
    std::size_t number = 0;
    for (const std::string &first : head)
        parser->take(++number, first);
    while (lines.next(line))
        parser->take(++number, line);
    return finish(*format, *parser, name);
}

Imported import_file(const std::filesystem::path &file) {
    if (is_sqlite(file))
        return finish(jankbench_format, *read_jankbench_db(file), file.string());
    if (is_jankbench_json(file))
        return finish(jankbench_format, *read_jankbench_json(*open_log(file), file.string()), file.string());
    return import_log(*open_log(file), file.string());
}

std::vector<std::string> imported_primary_metrics(std::string_view load) {
    std::vector<std::string> metrics;
    for (const Primary &p : primary)
        if (p.load == load)
            metrics.emplace_back(p.metric);
    return metrics;
}

std::string import_help() {
    std::string text;
    for (const LogFormat *format : formats)
        text += fmt::format("    {:<14} {}\n", format->name, format->summary);
    return text;
}

} // namespace schedlab
