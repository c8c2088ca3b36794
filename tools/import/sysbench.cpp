// SPDX-License-Identifier: GPL-2.0-or-later
// sysbench, 0.4 to 1.0: "events per second:", or "total time:" with "total number of events:", and a block of latencies
// ("min:", "avg:", "max:", "95th percentile:"; before 1.0 with a unit and "approx.").
#include "import/format.h"
#include "import/scan.h"

namespace schedlab {

namespace {

constexpr std::string_view beginning = "sysbench ";

bool is_title(std::string_view line) {
    return line.starts_with(beginning) && (holds(line, "multi-threaded system evaluation") || holds(line, "using system LuaJIT") ||
                                           holds(line, "using bundled LuaJIT"));
}

class Sysbench : public LogParser {
public:
    void take(std::size_t number, std::string_view line) override {
        if (is_title(line)) {
            close();
            begun_ = number;
        }
        if (!begun_)
            return;
        const std::string_view text = trimmed(line);
        take_into(rate_, text, "events per second:");
        take_into(events_, text, "total number of events:");
        take_into(seconds_, text, "total time:");
        take_into(threads_, text, "Number of threads:");
        take_into(min_, text, "min:");
        take_into(mean_, text, "avg:");
        take_into(max_, text, "max:");
        take_into(p95_, text, "95th percentile:");
        take_into(p95_, text, "approx.  95 percentile:");
    }
    void end() override { close(); }

private:
    using Value = std::optional<double>;

    static void take_into(Value &value, std::string_view text, std::string_view label) {
        if (text.starts_with(label))
            if (const auto number = number_after(text, label))
                value = number;
    }

    void close() {
        if (begun_ && !rate_ && events_ && seconds_ && *seconds_ > 0)
            rate_ = *events_ / *seconds_;
        if (begun_ && !rate_)
            skip(begun_, "neither events per second nor their number and time: the run failed");
        else if (begun_)
            keep();
        *this = Sysbench(std::move(results), std::move(skipped));
    }

    void keep() {
        Record &record = begin(begun_, "sysbench");
        if (threads_)
            record.options["threads"] = whole(*threads_);
        record.metrics.push_back(imported_time("ops_per_sec", "1/s", Direction::higher_is_better, *rate_));
        for (const auto &[name, value] : {std::pair("min", min_), std::pair("avg", mean_), std::pair("max", max_), std::pair("p95", p95_)})
            if (value)
                record.metrics.push_back(imported_time(std::string("latency_ms.") + name, "ms", Direction::lower_is_better, *value));
    }

    Sysbench(std::vector<ImportedResult> kept, std::vector<Skipped> left) {
        results = std::move(kept);
        skipped = std::move(left);
    }

    std::size_t begun_ = 0;
    Value rate_, events_, seconds_, threads_, min_, mean_, max_, p95_;

public:
    Sysbench() = default;
};

} // namespace

const LogFormat sysbench_format = {"sysbench", "sysbench", is_title,
                                   [] { return std::unique_ptr<LogParser>(std::make_unique<Sysbench>()); }};

} // namespace schedlab
