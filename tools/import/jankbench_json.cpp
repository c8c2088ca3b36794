// SPDX-License-Identifier: GPL-2.0-or-later
// Jankbench's results as JSON, of two kinds:
//
//   [{"name": "List View Fling", "iteration": 0, "total_duration": 7.8, "jank_frame": 0, ...}, ...]
//   {"kernel_version": "Linux ...", "refresh_rate": 60, "results": [
//       {"test_name": "List View Fling", "total_frames": 900, "jank_pct": 1.2, "ms_avg": 7.9, "ms_95th_pctl": 12.1, ...}, ...]}
//
// The first are rows of ui_results, by `sqlite3 -json` or a data frame's to_json(orient="records"), wherever they stand. The
// second is what the application's descendant JankBenchX uploads of a run (its classes Entry and Result): a result, which
// has no percentiles over all tests. The application of Android's own tree writes no JSON.
#include <cmath>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <set>

#include "core/error.h"
#include "core/magnitude.h"
#include "core/printable.h"
#include "import/jankbench.h"
#include "import/open_log.h"
#include "import/scan.h"

namespace schedlab {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t deepest = 16; // objects in objects

// Read as it comes: rows of frames may be many.
class JankbenchJson : public Jankbench, public nlohmann::json_sax<Json> {
public:
    std::string broken; // why it is no JSON

    bool null() override { return true; }
    bool boolean(bool value) override { return number(value); }
    bool number_integer(number_integer_t value) override { return number(double(value)); }
    bool number_unsigned(number_unsigned_t value) override { return number(double(value)); }
    bool number_float(number_float_t value, const string_t &) override { return number(value); }
    bool string(string_t &value) override {
        if (!open_.empty() && (key_ == "name" || key_ == "test_name" || key_ == "kernel_version"))
            open_.back().texts[key_] = std::move(value);
        return true;
    }
    bool binary(binary_t &) override { return false; } // not in text
    bool key(string_t &name) override {
        key_ = std::move(name);
        return true;
    }
    bool start_array(std::size_t) override { return true; }
    bool end_array() override { return true; }
    bool start_object(std::size_t) override {
        open_.push_back({++objects_, {}, {}, {}});
        if (open_.size() > deepest)
            broken = "deeper than any of Jankbench's";
        return broken.empty();
    }
    bool end_object() override {
        const Object object = std::move(open_.back());
        open_.pop_back();
        if (object.numbers.contains("total_duration"))
            take_frame(object);
        else if (object.texts.contains("test_name") && !open_.empty())
            open_.back().tests.push_back(object);
        else if (!object.tests.empty())
            take_run(object);
        return true;
    }
    bool parse_error(std::size_t, const std::string &, const nlohmann::detail::exception &e) override {
        broken = printable(e.what());
        return false;
    }

private:
    struct Object {
        std::size_t number = 0; // of objects, from 1: JSON has no lines
        std::map<std::string, double> numbers;
        std::map<std::string, std::string> texts;
        std::vector<Object> tests;

        std::optional<double> find(const std::string &key) const {
            const auto at = numbers.find(key);
            return at == numbers.end() ? std::nullopt : std::optional(at->second);
        }
    };

    bool number(double value) {
        if (!open_.empty() && is_measurable(value))
            open_.back().numbers[key_] = value;
        return true;
    }

    void take_frame(const Object &row) {
        const auto iteration = row.find("iteration"), jank = row.find("jank_frame");
        const auto name = row.texts.find("name");
        if (!iteration || !jank || name == row.texts.end())
            return skip(row.number, "a row without name, iteration or jank_frame");
        add(row.number, name->second, *iteration, *row.find("total_duration"), *jank != 0);
    }

    void take_run(const Object &run) {
        std::vector<Metric> rows;
        std::set<std::string> names;
        double all = 0, janks = 0, ms = 0;
        for (const Object &test : run.tests) {
            const std::string &name = test.texts.at("test_name");
            const auto frames = test.find("total_frames"), percent = test.find("jank_pct"), mean = test.find("ms_avg");
            if (!names.insert(name).second)
                return skip(run.number, "a test comes twice: results of several runs, which cannot be told apart");
            if (!frames || *frames < 1 || !percent || !mean)
                return skip(run.number, "a test without total_frames, jank_pct or ms_avg");
            const double janked = std::round(*percent * *frames / 100);
            rows.push_back(imported_count(name + ".frames", Direction::neutral, *frames));
            rows.push_back(imported_time(name + ".frame_ms.mean", "ms", Direction::lower_is_better, *mean));
            for (const int p : {10, 20, 30, 40, 50, 60, 70, 80, 90, 95, 99})
                if (const auto value = test.find(fmt::format("ms_{}th_pctl", p)))
                    rows.push_back(imported_time(fmt::format("{}.frame_ms.p{}", name, p), "ms", Direction::lower_is_better, *value));
            rows.push_back(imported_count(name + ".janks", Direction::lower_is_better, janked));
            all += *frames;
            janks += janked;
            ms += *mean * *frames;
        }
        Record &record = begin(run.number, "jankbench");
        record.metrics = {imported_count("frames", Direction::neutral, all),
                          imported_time("frame_ms.mean", "ms", Direction::lower_is_better, ms / all),
                          imported_count("janks", Direction::lower_is_better, janks)};
        record.metrics.insert(record.metrics.end(), rows.begin(), rows.end());
        if (const auto kernel = run.texts.find("kernel_version"); kernel != run.texts.end()) {
            const std::vector<std::string_view> words = words_of(kernel->second); // of `uname -a`
            results.back().kernel = words.size() > 2 && words[0] == "Linux" ? words[2] : std::string_view(kernel->second);
        }
    }

    std::vector<Object> open_;
    std::string key_;
    std::size_t objects_ = 0;
};

} // namespace

bool is_jankbench_json(const std::filesystem::path &file) {
    const std::unique_ptr<std::istream> in = open_log(file);
    std::string head(1 << 14, '\0');
    in->read(head.data(), std::streamsize(head.size()));
    head.resize(std::size_t(in->gcount()));
    const std::string_view text = std::string_view(head).substr(std::min(head.find_first_not_of(" \t\r\n"), head.size()));
    const bool rows = holds(text, "\"total_duration\"") && holds(text, "\"jank_frame\"");
    const bool tests = holds(text, "\"test_name\"") && holds(text, "\"jank_pct\"");
    return (text.starts_with('[') || text.starts_with('{')) && (rows || tests);
}

std::unique_ptr<LogParser> read_jankbench_json(std::istream &text, const std::string &name) {
    auto parser = std::make_unique<JankbenchJson>();
    if (!Json::sax_parse(text, parser.get()))
        throw usage_error(fmt::format("{}: begins like Jankbench's results, and is no JSON: {}", name, parser->broken),
                          "fetch it again from where it was written");
    return parser;
}

} // namespace schedlab
