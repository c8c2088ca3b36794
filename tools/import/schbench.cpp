// SPDX-License-Identifier: GPL-2.0-or-later
// schbench. Its blocks come again at every interval, each over the whole run so far: the last of each counts.
//
//   Wakeup Latencies percentiles (usec) runtime 30 (s) (34393 total samples)
//             50.0th: 9          (10391 samples)
//           * 99.0th: 14         (1500 samples)
//             min=1, max=300
//   average rps: 1037.23
//
// Older ones print "Latency percentiles (usec)", the star without a blank, and "Over=0, min=0, max=0".
#include <map>

#include "import/format.h"
#include "import/scan.h"

namespace schedlab {

namespace {

bool is_block(std::string_view line) {
    return holds(line, "percentiles (usec)") || holds(line, "percentiles (requests)");
}

std::string block_name(std::string_view line) {
    const std::string_view text = trimmed(line);
    return text.starts_with("Request") ? "request_us" : text.starts_with("RPS") ? "rps" : "wakeup_us";
}

class Schbench : public LogParser {
public:
    void take(std::size_t number, std::string_view line) override {
        if (is_block(line))
            return begin_block(number, line);
        if (const auto rps = number_after(line, "average rps:"))
            average_rps_ = rps;
        if (block_.empty())
            return;
        std::string_view row = trimmed(line);
        if (row.starts_with('*'))
            row = trimmed(row.substr(1));
        const std::size_t th = row.find("th:");
        const auto percent = th == row.npos ? std::nullopt : number_in(row.substr(0, th));
        if (percent)
            if (const auto value = number_after(row, "th:"))
                blocks_[block_]["p" + percent_name(*percent)] = *value;
        for (const char *extreme : {"min", "max"})
            if (const auto value = number_after(row, std::string(extreme) + "="))
                blocks_[block_][extreme] = *value;
    }
    void end() override { close(); }

private:
    void begin_block(std::size_t number, std::string_view line) {
        block_ = block_name(line);
        const double runtime = number_after(line, "runtime ").value_or(0);
        if (const auto seen = runtimes_.find(block_); seen != runtimes_.end() && runtime < seen->second)
            close(); // time ran backwards: another run begins
        block_ = block_name(line);
        if (!begun_)
            begun_ = number;
        runtimes_[block_] = runtime;
        blocks_[block_].clear();
    }

    void close() {
        if (begun_ && blocks_.empty())
            skip(begun_, "no percentiles follow");
        else if (begun_)
            keep();
        begun_ = 0;
        block_.clear();
        blocks_.clear();
        runtimes_.clear();
        average_rps_.reset();
    }

    void keep() {
        Record &record = begin(begun_, "schbench");
        for (const auto &[block, rows] : blocks_) {
            const bool rate = block == "rps";
            for (const auto &[name, value] : rows)
                record.metrics.push_back(imported_time(block + "." + name, rate ? "1/s" : "us",
                                                       rate ? Direction::higher_is_better : Direction::lower_is_better, value));
            const auto tail = rows.find("p99.9"), max = rows.find("max");
            if (tail != rows.end() && max != rows.end() && tail->second > max->second)
                record.warnings.push_back("schbench's " + block + ".p99.9 is above its max: it comes from too coarse a histogram");
        }
        if (average_rps_)
            record.metrics.push_back(imported_time("rps.average", "1/s", Direction::higher_is_better, *average_rps_));
    }

    std::size_t begun_ = 0;
    std::string block_; // the one under way
    std::map<std::string, std::map<std::string, double>> blocks_;
    std::map<std::string, double> runtimes_;
    std::optional<double> average_rps_;
};

} // namespace

const LogFormat schbench_format = {"schbench", "schbench", is_block,
                                   [] { return std::unique_ptr<LogParser>(std::make_unique<Schbench>()); }};

} // namespace schedlab
