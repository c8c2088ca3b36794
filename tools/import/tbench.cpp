// SPDX-License-Identifier: GPL-2.0-or-later
// tbench and dbench: "Throughput 1234.56 MB/sec  8 clients  8 procs  max_latency=12.345 ms". The lines above it, of the
// warm-up and of every second, are no results.
#include "import/format.h"
#include "import/scan.h"

namespace schedlab {

namespace {

class Tbench : public LogParser {
public:
    void take(std::size_t number, std::string_view line) override {
        if (!line.starts_with("Throughput "))
            return;
        const auto rate = number_after(line, "Throughput ");
        if (!rate || !holds(line, "MB/sec"))
            return skip(number, "no throughput in MB/sec");
        Record &record = begin(number, "tb");
        const std::size_t clients = line.find(" clients");
        if (clients != line.npos)
            if (const auto words = words_of(line.substr(0, clients)); !words.empty())
                record.options["clients"] = whole(number_in(words.back()).value_or(0));
        record.metrics = {imported_time("mb_per_sec", "MB/s", Direction::higher_is_better, *rate)};
        if (const auto latency = number_after(line, "max_latency="))
            record.metrics.push_back(imported_time("latency_ms.max", "ms", Direction::lower_is_better, *latency));
    }
};

} // namespace

const LogFormat tbench_format = {
    "tbench", "tbench, dbench",
    [](std::string_view line) { return line.starts_with("Throughput ") && holds(line, " clients "); },
    [] { return std::unique_ptr<LogParser>(std::make_unique<Tbench>()); }};

} // namespace schedlab
