// SPDX-License-Identifier: GPL-2.0-or-later
// netperf's request/response tests: the table of old (transactions per second in column 6, CPU columns behind it under
// -c -C), its rows alone (-P 0), or KEY=VALUE lines (-- -k).
//
//   MIGRATED TCP REQUEST/RESPONSE TEST from 0.0.0.0 () port 0 AF_INET to localhost () port 0 AF_INET : first burst 0
//   16384  131072 1        1       10.00    23456.78
//   16384  131072
#include "import/format.h"
#include "import/scan.h"

namespace schedlab {

namespace {

constexpr std::string_view throughput = "THROUGHPUT=";

bool is_title(std::string_view line) { return holds(line, "REQUEST/RESPONSE TEST"); }

std::vector<double> row_of(std::string_view line) {
    std::vector<double> row;
    for (const std::string_view word : words_of(line)) {
        const auto number = number_in(word);
        if (!number)
            return {};
        row.push_back(*number);
    }
    return row;
}

// Buffers of both ends, request, response, seconds, rate.
bool is_result(const std::vector<double> &row) {
    return row.size() >= 6 && row[0] >= 1024 && row[1] >= 1024 && row[2] >= 1 && row[3] >= 1 && row[4] > 0;
}

class Netperf : public LogParser {
public:
    void take(std::size_t number, std::string_view line) override {
        if (is_title(line)) {
            test_ = holds(line, "UDP") ? "udp" : "tcp";
            seen_title_ = true;
        } else if (holds(line, " TEST from ") || holds(line, " TEST to ")) {
            skip(number, "not a request/response test");
            test_.clear();
        }
        if (holds(line, "Desired confidence was not achieved"))
            unsettled_ = true;
        if (const std::vector<double> row = row_of(line); is_result(row) && !(seen_title_ && test_.empty()))
            keep(number, row[5], row[2], row[3]);
        else if (const auto rate = number_after(line, throughput); rate && line.starts_with(throughput))
            keep(number, *rate, 0, 0);
        if (const auto units = rest_after(line, "THROUGHPUT_UNITS="); units && *units != "Trans/s" && !results.empty()) {
            skip(number, "a throughput in " + std::string(*units) + ", not in transactions");
            results.pop_back();
        }
    }

private:
    void keep(std::size_t number, double rate, double request, double response) {
        Record &record = begin(number, "rr");
        if (!test_.empty())
            record.options["protocol"] = test_;
        if (request > 0) {
            record.options["request"] = whole(request);
            record.options["response"] = whole(response);
        }
        record.metrics = {imported_time("trans_per_sec", "1/s", Direction::higher_is_better, rate)};
        if (unsettled_)
            record.warnings.push_back("netperf: the desired confidence was not achieved");
        unsettled_ = false;
    }

    std::string test_;
    bool seen_title_ = false, unsettled_ = false;
};

} // namespace

const LogFormat netperf_format = {
    "netperf", "netperf TCP_RR, UDP_RR",
    [](std::string_view line) { return is_title(line) || line.starts_with(throughput) || is_result(row_of(line)); },
    [] { return std::unique_ptr<LogParser>(std::make_unique<Netperf>()); }};

} // namespace schedlab
