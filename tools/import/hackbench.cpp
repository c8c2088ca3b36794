// SPDX-License-Identifier: GPL-2.0-or-later
// hackbench, of rt-tests and older copies, which do not tell the number of tasks:
//
//   Running in process mode with 10 groups using 40 file descriptors each (== 400 tasks)
//   Each sender will pass 100 messages of 100 bytes
//   Time: 0.154
#include "import/format.h"
#include "import/scan.h"

namespace schedlab {

namespace {

constexpr std::string_view beginning = "Running in ";

class Hackbench : public LogParser {
public:
    void take(std::size_t number, std::string_view line) override {
        if (line.starts_with(beginning) && holds(line, " mode with ")) {
            close();
            begun_ = number;
            options_ = {{"groups", whole(number_after(line, " mode with ").value_or(0))},
                        {"threaded", line.starts_with("Running in thread")},
                        {"fds", whole(number_after(line, "groups using ").value_or(0))}};
        } else if (const auto messages = number_after(line, "Each sender will pass "); messages && begun_) {
            options_["loops"] = whole(*messages);
            options_["size"] = whole(number_after(line, "messages of ").value_or(0));
        } else if (line.starts_with("Time:")) {
            take_time(number, line);
        }
    }
    void end() override { close(); }

private:
    void take_time(std::size_t number, std::string_view line) {
        const auto seconds = number_after(line, "Time:");
        if (!begun_ || !seconds)
            return skip(number, begun_ ? "no number of seconds" : "a time without the line that says of what");
        Record &record = begin(begun_, "messaging");
        record.options = options_;
        record.metrics = {imported_time("seconds", "s", Direction::lower_is_better, *seconds)};
        begun_ = 0;
    }

    void close() {
        if (begun_)
            skip(begun_, "no time follows: the run failed");
        begun_ = 0;
    }

    std::size_t begun_ = 0;
    nlohmann::ordered_json options_;
};

} // namespace

const LogFormat hackbench_format = {
    "hackbench", "hackbench, of rt-tests and older",
    [](std::string_view line) { return line.starts_with(beginning) && holds(line, " mode with "); },
    [] { return std::unique_ptr<LogParser>(std::make_unique<Hackbench>()); }};

} // namespace schedlab
