// SPDX-License-Identifier: GPL-2.0-or-later
// UnixBench: a result per pass of its tests. The index at the end compares with a machine of 1995; it is kept, as `index`.
//
//   4 CPUs in system; running 4 parallel copies of tests
//   Pipe-based Context Switching                 801234.5 lps   (10.0 s, 7 samples)
//   System Benchmarks Index Score                                        1834.2
#include <cctype>

#include "import/format.h"
#include "import/scan.h"

namespace schedlab {

namespace {

constexpr std::string_view beginning = " CPUs in system; running ", alone = " CPU in system; running ";

// "Pipe-based Context Switching" → "pipe-based_context_switching"
std::string metric_name(std::string_view title) {
    std::string name;
    for (const char c : title)
        if (std::isalnum(static_cast<unsigned char>(c)) || c == '-' || c == '.')
            name += char(std::tolower(static_cast<unsigned char>(c)));
        else if (!name.empty() && name.back() != '_')
            name += '_';
    while (name.ends_with('_'))
        name.pop_back();
    return name;
}

class UnixBench : public LogParser {
public:
    void take(std::size_t number, std::string_view line) override {
        if (holds(line, beginning) || holds(line, alone)) {
            close();
            begun_ = number;
            copies_ = number_after(line, "running ").value_or(0);
        } else if (begun_ && line.ends_with(" samples)")) {
            take_test(number, line);
        } else if (const auto score = number_after(line, "Index Score"); begun_ && score) {
            metrics_.push_back(imported_time("index", "1", Direction::higher_is_better, *score));
        }
    }
    void end() override { close(); }

private:
    // TITLE VALUE UNIT (SECONDS s, N samples)
    void take_test(std::size_t number, std::string_view line) {
        const std::string_view head = trimmed(line.substr(0, line.rfind('(')));
        const std::size_t unit = head.rfind(' ');
        const std::string_view rest = unit == head.npos ? std::string_view() : trimmed(head.substr(0, unit));
        const std::size_t value = rest.rfind(' ');
        const auto rate = value == rest.npos ? std::nullopt : number_in(rest.substr(value + 1));
        if (!rate)
            return skip(number, "no rate in it");
        metrics_.push_back(imported_time(metric_name(rest.substr(0, value)), std::string(head.substr(unit + 1)),
                                         Direction::higher_is_better, *rate));
    }

    void close() {
        if (begun_ && metrics_.empty())
            skip(begun_, "no test of this pass has a result");
        else if (begun_) {
            Record &record = begin(begun_, "unixbench");
            record.options["copies"] = whole(copies_);
            record.metrics = std::move(metrics_);
        }
        metrics_.clear();
    }

    std::size_t begun_ = 0;
    double copies_ = 0;
    std::vector<Metric> metrics_;
};

} // namespace

const LogFormat unixbench_format = {
    "UnixBench", "UnixBench", [](std::string_view line) { return holds(line, beginning) || holds(line, alone); },
    [] { return std::unique_ptr<LogParser>(std::make_unique<UnixBench>()); }};

} // namespace schedlab
