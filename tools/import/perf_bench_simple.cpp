// SPDX-License-Identifier: GPL-2.0-or-later
// perf bench -f simple: seconds with three decimals and nothing else; of several benchmarks, each behind its name:
//
//   # Running sched/messaging benchmark...
//   0.154
//
// A number alone could be anything, so a file with anything else in it is none.
#include "import/format.h"
#include "import/scan.h"

namespace schedlab {

namespace {

bool is_heading(std::string_view line) { return line.starts_with("# Running ") && line.ends_with(" benchmark..."); }

bool is_seconds(std::string_view line) {
    const std::size_t dot = line.find('.');
    const auto digits = [](std::string_view text) { return !text.empty() && text.find_first_not_of("0123456789") == text.npos; };
    return dot != line.npos && line.size() == dot + 4 && digits(line.substr(0, dot)) && digits(line.substr(dot + 1));
}

class PerfBenchSimple : public LogParser {
public:
    void take(std::size_t number, std::string_view line) override {
        line = trimmed(line);
        if (line.empty() || foreign_)
            return;
        if (is_heading(line)) {
            const std::string_view name = words_of(line)[2];
            load_ = name.substr(name.find('/') + 1); // all of it if there is no slash
        } else if (is_seconds(line)) {
            begin(number, load_).metrics = {imported_time("seconds", "s", Direction::lower_is_better, *number_in(line))};
        } else {
            foreign_ = true;
            results.clear();
            skip(number, "seconds alone are expected");
        }
    }

private:
    std::string load_ = "perf_bench"; // it is not told which
    bool foreign_ = false;
};

} // namespace

const LogFormat perf_bench_simple_format = {
    "perf bench -f simple", "perf bench -f simple: seconds alone",
    [](std::string_view line) { return is_heading(trimmed(line)) || is_seconds(trimmed(line)); },
    [] { return std::unique_ptr<LogParser>(std::make_unique<PerfBenchSimple>()); }};

} // namespace schedlab
