// SPDX-License-Identifier: GPL-2.0-or-later
// A format is a row: how its text is recognized, and a parser that is fed its lines.
#pragma once

#include <memory>

#include "import/import.h"

namespace schedlab {

class LogParser {
public:
    virtual ~LogParser() = default;
    virtual void take(std::size_t number, std::string_view line) = 0; // lines from 1, without their end
    virtual void end() {}

    std::vector<ImportedResult> results;
    std::vector<Skipped> skipped;

protected:
    Record &begin(std::size_t line, const std::string &load); // a new result
    void skip(std::size_t line, const std::string &reason) { add_skipped(skipped, line, reason); }
};

struct LogFormat {
    std::string_view name, summary;
    bool (*recognizes)(std::string_view line); // a line that only this tool writes
    std::unique_ptr<LogParser> (*parser)();
};

// Metrics as logs have them: time, unless told otherwise.
Metric imported_time(const std::string &name, const std::string &unit, Direction direction, double value);
Metric imported_count(const std::string &name, Direction direction, double value);

extern const LogFormat perf_bench_format, hackbench_format, schbench_format, netperf_format, tbench_format, mmtests_format,
    perf_stat_format, perf_stat_csv_format, cyclictest_format, sysbench_format, stress_ng_format, gfxinfo_format,
    jankbench_format, surfaceflinger_format, rt_app_format, unixbench_format, schedstat_format, perf_bench_simple_format;

} // namespace schedlab
