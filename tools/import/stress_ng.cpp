// SPDX-License-Identifier: GPL-2.0-or-later
// stress-ng --metrics-brief. A row of numbers per stressor; behind its name bogo ops, real, user and system time, and bogo
// ops per second of real time, then of CPU time:
//
//   stress-ng: metrc: [1234] cpu                3213     10.00     79.80      0.01       321.26          40.25
#include <set>

#include "import/format.h"
#include "import/scan.h"

namespace schedlab {

namespace {

constexpr std::string_view beginning = "stress-ng: ";

class StressNg : public LogParser {
public:
    void take(std::size_t number, std::string_view line) override {
        const std::vector<std::string_view> words = words_of(line);
        // Times of day may stand before the bracket.
        std::size_t at = 0;
        while (at < words.size() && !(words[at].starts_with('[') && words[at].ends_with(']')))
            ++at;
        if (!line.starts_with(beginning) || words.size() < at + 8)
            return;
        std::vector<double> row;
        for (std::size_t i = at + 2; i < words.size(); ++i)
            if (const auto value = number_in(words[i]))
                row.push_back(*value);
        if (row.size() < 6)
            return; // titles
        const std::string stressor(words[at + 1]);
        if (row[1] <= 0)
            return skip(number, stressor + " ran for no time");
        if (results.empty() || !seen_.insert(stressor).second) { // a name that comes again is of another run
            seen_ = {stressor};
            begin(number, "stress-ng");
        }
        std::vector<Metric> &metrics = results.back().record.metrics;
        metrics.push_back(imported_time(stressor + ".ops_per_sec", "1/s", Direction::higher_is_better, row[4]));
        metrics.push_back(imported_time(stressor + ".system_s", "s", Direction::lower_is_better, row[3]));
    }

private:
    std::set<std::string> seen_;
};

} // namespace

const LogFormat stress_ng_format = {
    "stress-ng", "stress-ng --metrics-brief",
    [](std::string_view line) { return line.starts_with(beginning) && holds(line, "bogo ops"); },
    [] { return std::unique_ptr<LogParser>(std::make_unique<StressNg>()); }};

} // namespace schedlab
