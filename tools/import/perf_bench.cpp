// SPDX-License-Identifier: GPL-2.0-or-later
// perf bench sched pipe | messaging:
//
//   # Running 'sched/pipe' benchmark:
//   # Executed 1000000 pipe operations between two processes
//        Total time: 4.532 [sec]
//          4.532198 usecs/op
//            220643 ops/sec
#include "import/format.h"
#include "import/scan.h"

namespace schedlab {

namespace {

constexpr std::string_view beginning = "# Running '";

class PerfBench : public LogParser {
public:
    void take(std::size_t number, std::string_view line) override {
        if (const auto rest = rest_after(line, beginning)) {
            close();
            begun_ = number;
            name_ = rest->substr(0, rest->find('\''));
            next_ = {};
            next_.options = nlohmann::ordered_json::object();
            broken_.clear();
            return;
        }
        if (!begun_)
            return;
        if (line.starts_with("# "))
            return take_option(line);
        // Under -G a task that cannot be moved runs where it is, and a result follows all the same.
        if (holds(line, "cgroup") && (holds(line, "ail") || holds(line, "annot")))
            broken_ = "a cgroup could not be entered: what was measured ran outside it";
        if (const auto seconds = number_after(line, "Total time:"))
            next_.metrics.push_back(imported_time("seconds", "s", Direction::lower_is_better, *seconds));
        const std::vector<std::string_view> words = words_of(line);
        const auto value = words.size() == 2 ? number_in(words[0]) : std::nullopt;
        if (value && words[1] == "usecs/op")
            next_.metrics.push_back(imported_time("usec_per_op", "us", Direction::lower_is_better, *value));
        if (value && words[1] == "ops/sec")
            next_.metrics.push_back(imported_time("ops_per_sec", "1/s", Direction::higher_is_better, *value));
    }
    void end() override { close(); }

private:
    void take_option(std::string_view line) {
        const bool threads = holds(line, "thread");
        if (const auto loops = number_after(line, "# Executed "))
            next_.options["loops"] = whole(*loops);
        else if (const auto groups = number_after(line, "# "); groups && holds(line, "groups =="))
            next_.options["groups"] = whole(*groups);
        else if (!holds(line, "per group"))
            return;
        next_.options["threaded"] = threads;
    }

    void close() {
        if (!begun_)
            return;
        const std::size_t slash = name_.find('/');
        if (!broken_.empty())
            skip(begun_, broken_);
        else if (next_.metrics.empty())
            skip(begun_, name_ + " printed no result");
        else {
            Record &record = begin(begun_, name_.substr(slash == name_.npos ? 0 : slash + 1));
            record.options = next_.options;
            record.metrics = next_.metrics;
        }
        begun_ = 0;
    }

    std::size_t begun_ = 0; // the line of the result under way
    std::string name_, broken_;
    Record next_;
};

} // namespace

const LogFormat perf_bench_format = {
    "perf bench", "perf bench sched pipe, sched messaging", [](std::string_view line) { return line.starts_with(beginning); },
    [] { return std::unique_ptr<LogParser>(std::make_unique<PerfBench>()); }};

} // namespace schedlab
