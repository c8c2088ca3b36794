// SPDX-License-Identifier: GPL-2.0-or-later
// cyclictest: a line per thread (-q), and with --histogram or --histfile a row per microsecond with a count per thread:
//
//   T: 0 ( 1234) P:80 I:1000 C:  10000 Min:      2 Act:    3 Avg:    4 Max:      25
//
//   # Histogram
//   000002 000010 000012
//   # Avg Latencies: 00004 00005
//   # Max Latencies: 00025 00031
#include <algorithm>
#include <array>
#include <map>

#include "import/format.h"
#include "import/scan.h"

namespace schedlab {

namespace {

bool is_thread(std::string_view line) {
    return trimmed(line).starts_with("T:") && holds(line, "Min:") && holds(line, "Avg:") && holds(line, "Max:");
}

std::vector<double> numbers_after(std::string_view line, std::string_view title) {
    std::vector<double> numbers;
    for (const std::string_view word : words_of(line.substr(title.size())))
        if (const auto number = number_in(word))
            numbers.push_back(*number);
    return numbers;
}

class Cyclictest : public LogParser {
public:
    void take(std::size_t number, std::string_view line) override {
        if (is_thread(line))
            return take_thread(number, line);
        if (line.starts_with("# Histogram") && !holds(line, "Overflows")) {
            if (!counts_.empty())
                close();
            in_histogram_ = true;
            begun_ = begun_ ? begun_ : number;
        } else if (line.starts_with("# ")) {
            in_histogram_ = false;
            take_summary(line);
        } else if (in_histogram_) {
            take_row(line);
        }
    }
    void end() override { close(); }

private:
    void take_thread(std::size_t number, std::string_view line) {
        const auto thread = number_after(line, "T:"), min = number_after(line, "Min:"), mean = number_after(line, "Avg:"),
                   max = number_after(line, "Max:");
        if (!thread || !min || !mean || !max)
            return skip(number, "not a thread's whole line");
        begun_ = begun_ ? begun_ : number;
        threads_[int(whole(*thread))] = {*min, *mean, *max}; // without -q, lines of a thread come again: the last one counts
    }

    void take_row(std::string_view line) {
        const std::vector<double> row = numbers_after(line, "");
        for (std::size_t i = 1; i < row.size(); ++i)
            counts_[row[0]] += row[i];
    }

    void take_summary(std::string_view line) {
        constexpr std::string_view titles[] = {"# Min Latencies:", "# Avg Latencies:", "# Max Latencies:"};
        for (std::size_t i = 0; i < 3; ++i)
            if (line.starts_with(titles[i])) {
                const std::vector<double> values = numbers_after(line, titles[i]);
                for (std::size_t thread = 0; thread < values.size(); ++thread)
                    threads_[int(thread)][i] = values[thread];
            }
    }

    void close() {
        if (!begun_)
            return;
        if (threads_.empty()) {
            skip(begun_, "a histogram without its summary: it was cut off");
        } else {
            Record &record = begin(begun_, "cyclictest");
            record.options["threads"] = threads_.size();
            std::array<double, 3> all{1e300, 0, 0};
            for (const auto &[number, thread] : threads_)
                all = {std::min(all[0], thread[0]), all[1] + thread[1] / double(threads_.size()), std::max(all[2], thread[2])};
            add(record, "min", all[0]);
            add(record, "avg", all[1]);
            add(record, "max", all[2]);
            for (const double percent : {50.0, 99.0, 99.9})
                add_percentile(record, percent);
        }
        begun_ = 0;
        threads_.clear();
        counts_.clear();
    }

    static void add(Record &record, const std::string &name, double us) {
        record.metrics.push_back(imported_time("latency_us." + name, "us", Direction::lower_is_better, us));
    }

    void add_percentile(Record &record, double percent) {
        double all = 0, below = 0;
        for (const auto &[us, count] : counts_)
            all += count;
        if (all == 0)
            return;
        for (const auto &[us, count] : counts_)
            if ((below += count) >= all * percent / 100)
                return add(record, "p" + percent_name(percent), us);
    }

    std::size_t begun_ = 0;
    bool in_histogram_ = false;
    std::map<int, std::array<double, 3>> threads_; // min, avg, max in us
    std::map<double, double> counts_;              // of all threads, by us
};

} // namespace

const LogFormat cyclictest_format = {
    "cyclictest", "cyclictest -q, --histogram, --histfile",
    [](std::string_view line) { return is_thread(line) || line == "# Histogram" || line.starts_with("# Max Latencies:"); },
    [] { return std::unique_ptr<LogParser>(std::make_unique<Cyclictest>()); }};

} // namespace schedlab
