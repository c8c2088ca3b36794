// SPDX-License-Identifier: GPL-2.0-or-later
// A thread's log of rt-app: a row per activation, in us. Columns are found by their titles, which came with time:
//
//   #idx     perf      run   period           start             end          rel_st      slack c_duration   c_period     wu_lat
//      0    99321    10012    16000      2147483648      2147493664          100040       5888      10000      16000         54
//
// Files of several threads one behind the other are one run.
#include <algorithm>

#include "import/format.h"
#include "import/sample.h"
#include "import/scan.h"

namespace schedlab {

namespace {

constexpr std::size_t missing = std::size_t(-1);

class RtApp : public LogParser {
public:
    void take(std::size_t number, std::string_view line) override {
        const std::vector<std::string_view> words = words_of(line);
        if (words.empty())
            return;
        if (words[0] == "#idx") {
            begun_ = begun_ ? begun_ : number;
            const auto column = [&](std::string_view title) {
                const auto at = std::ranges::find(words, title);
                return at == words.end() ? missing : std::size_t(at - words.begin());
            };
            run_.column = column("run");
            slack_.column = column("slack");
            wakeup_.column = column("wu_lat");
            columns_ = words.size();
        } else if (words.size() != columns_) {
            skip(number, "not as many columns as titles");
        } else if (!std::ranges::all_of(words, [](std::string_view word) { return number_in(word).has_value(); })) {
            skip(number, "not a row of numbers");
        } else {
            ++activations_;
            for (Column *c : {&run_, &slack_, &wakeup_})
                if (c->column != missing)
                    c->values.add(*number_in(words[c->column]));
        }
    }
    void end() override {
        if (activations_ == 0)
            return skip(begun_, "no activations");
        Record &record = begin(begun_, "rt-app");
        record.metrics.push_back(imported_count("activations", Direction::neutral, double(activations_)));
        const auto add = [&](const std::string &name, Direction direction, double us) {
            record.metrics.push_back(imported_time(name, "us", direction, us));
        };
        if (const Sample &us = wakeup_.values; !us.empty()) {
            add("wakeup_us.mean", Direction::lower_is_better, us.mean());
            for (const int percent : {50, 95, 99})
                add("wakeup_us.p" + std::to_string(percent), Direction::lower_is_better, us.percentile(percent));
            add("wakeup_us.max", Direction::lower_is_better, us.most());
        }
        if (const Sample &us = slack_.values; !us.empty()) {
            add("slack_us.mean", Direction::higher_is_better, us.mean());
            add("slack_us.min", Direction::higher_is_better, us.least());
            record.metrics.push_back(imported_count("late", Direction::lower_is_better, double(us.size() - us.above(-0.5)))); // below 0
        }
        if (const Sample &us = run_.values; !us.empty())
            add("run_us.mean", Direction::lower_is_better, us.mean());
    }

private:
    struct Column {
        std::size_t column = missing;
        Sample values;
    };
    Column run_, slack_, wakeup_;
    std::size_t begun_ = 0, columns_ = 0, activations_ = 0;
};

} // namespace

const LogFormat rt_app_format = {
    "rt-app", "rt-app, the log of a thread",
    [](std::string_view line) { return line.starts_with("#idx ") && holds(line, " perf ") && holds(line, " period "); },
    [] { return std::unique_ptr<LogParser>(std::make_unique<RtApp>()); }};

} // namespace schedlab
