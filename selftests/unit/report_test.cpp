// SPDX-License-Identifier: GPL-2.0-or-later
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <sstream>

#include "report/comparison.h"
#include "report/progress.h"
#include "report/table.h"
#include "sys/files.h"

using namespace schedlab;
using Catch::Matchers::ContainsSubstring;

namespace {

const Terminal wide{false, false, 120}, narrow{false, false, 50}, colored{true, true, 120};

std::size_t longest_line(const std::string &text) {
    std::istringstream in(text);
    std::size_t longest = 0;
    for (std::string line; std::getline(in, line);)
        longest = std::max(longest, line.size());
    return longest;
}

ComparisonReport example() {
    ComparisonReport report;
    report.machine = "toy";
    report.base = "6.12";
    report.a = {"6.12.117, ASYM_PREV off", "k", {{"ASYM_PREV", false}}};
    report.b = {"6.12.117, ASYM_PREV on", "k", {{"ASYM_PREV", true}}};
    report.load = "pipe";
    report.options = {{"loops", 3000}, {"instances", nullptr}, {"threaded", false}, {"cpu-a", ""}};
    report.a.seeds = report.b.seeds = {1, 2, 3, 4, 5};
    for (int cpu = 0; cpu < 4; ++cpu) {
        const CpuSet mc = cpu < 2 ? CpuSet{0, 1} : CpuSet{2, 3};
        report.domains.push_back({cpu, {{"MC", {"SD_SHARE_LLC"}, mc}, {"PKG", {}, CpuSet{0, 1, 2, 3}}}});
    }
    const auto lower = Direction::lower_is_better;
    const Metric migrations{"migrations", "1", MetricClass::placement, lower, MetricKind::count, 0};
    const Metric exec{"migrations.exec", "1", MetricClass::placement, lower, MetricKind::count, 0};
    const Metric speed{"ops_per_sec", "1/s", MetricClass::time, Direction::higher_is_better, MetricKind::value, 0};
    report.metrics = {
        compare(migrations, std::vector<double>{6000, 6001, 5999, 6002, 6000}, std::vector<double>{3, 2, 3, 1, 4},
                true),
        compare(exec, std::vector<double>(5, 0.0), std::vector<double>(5, 0.0), true),
        compare(speed, std::vector<double>{1, 2, 3, 4, 5}, std::vector<double>{2, 3, 4, 5, 6}, true)};
    report.metrics[0].primary = true;
    report.kept_in = "s.db: 10 runs, 0 of them reused";
    return report;
}

} // namespace

TEST_CASE("text: machine, domains, table, ledger, sentence, place", "[report]") {
    const std::string text = comparison_text(example(), wide);
    CHECK_THAT(text, ContainsSubstring("MC   0-1 | 2-3"));
    CHECK_THAT(text, ContainsSubstring("PKG  0-3"));
    CHECK_THAT(text, ContainsSubstring("load: pipe --loops 3000; 5 boots per arm"));
    CHECK_THAT(text, ContainsSubstring("b is better than a on toy under pipe: migrations 6000 -> 3"));
    CHECK_THAT(text, ContainsSubstring("  migrations fell from 6000 to 3: no mechanism seen\n"));
    CHECK_THAT(text, ContainsSubstring("0 in every run: migrations.exec"));
    CHECK_THAT(text, ContainsSubstring("emulated: time on an emulated machine"));
    CHECK_THAT(text, ContainsSubstring("s.db: 10 runs"));
    CHECK_THAT(text, !ContainsSubstring("\033"));
}

TEST_CASE("text: too few boots of real time are not called emulated", "[report]") {
    ComparisonReport report = example();
    report.metrics = {compare(report.metrics[2].metric, std::vector<double>{1}, std::vector<double>{2}, false)};
    report.metrics[0].primary = true;
    report.a.seeds = report.b.seeds = {1};
    report.emulated = false;
    const std::string text = comparison_text(report, wide);
    CHECK_THAT(text, !ContainsSubstring("emulated"));
    CHECK_THAT(text, ContainsSubstring("; 1 boot per arm\n"));
}

TEST_CASE("text: numbers are as long as they can be read", "[report]") {
    ComparisonReport report = example();
    report.metrics = {compare(report.metrics[2].metric, std::vector<double>{1, 1.1, 1.2, 1.3, 1.4}, std::vector<double>(5, 1e90), false)};
    report.metrics[0].primary = true;
    const std::string text = comparison_text(report, wide);
    CHECK_THAT(text, ContainsSubstring("ops_per_sec 1.2 -> 1e+90"));
    CHECK_THAT(text, ContainsSubstring("ops_per_sec rose by 8.333e+91 %"));
}

TEST_CASE("text: a modelled time gets a verdict, and is called a prediction", "[report]") {
    ComparisonReport report = example();
    Comparison &speed = report.metrics[2];
    speed.metric.cls = MetricClass::modelled;
    speed = compare(speed.metric, std::vector<double>{100, 101, 102, 103, 104}, std::vector<double>{120, 121, 122, 123, 124}, true);
    speed.primary = true;
    const std::string text = comparison_text(report, wide);
    CHECK_THAT(text, ContainsSubstring("ops_per_sec, 1/s (modelled)"));
    CHECK_THAT(text, ContainsSubstring("b is better than a on toy under pipe, as its timing model predicts: "));
    CHECK_THAT(text, ContainsSubstring("modelled: what the machine's timing model predicts, not a measurement"));
    CHECK_THAT(text, !ContainsSubstring("emulated: time"));
    CHECK(comparison_json(report).at("metrics").at(2).at("class") == "modelled");
}

TEST_CASE("text: colours only where they show, narrow terminals lose columns", "[report]") {
    CHECK_THAT(comparison_text(example(), colored), ContainsSubstring("\033[32mbetter\033[0m"));
    const std::string text = comparison_text(example(), narrow);
    CHECK_THAT(text, !ContainsSubstring("change"));
    CHECK_THAT(text, ContainsSubstring("better"));
}

TEST_CASE("json: the stable keys", "[report]") {
    const auto json = comparison_json(example());
    for (const char *key : {"machine", "base", "load", "arms", "domains", "metrics", "warnings", "losses"})
        CHECK(json.contains(key));
    const auto &metric = json.at("metrics").at(0);
    for (const char *key : {"name", "unit", "class", "direction", "a", "b", "change", "interval", "verdict"})
        CHECK(metric.contains(key));
    CHECK(metric.at("a").at("values").size() == 5);
    CHECK(metric.at("a").at("median") == 6000);
    CHECK(metric.at("verdict") == "better");
    CHECK(metric.at("interval").at(1) < 0);
    CHECK(json.at("metrics").at(2).at("verdict").is_null());
    CHECK(metric.at("detectable") > 0);
    CHECK(json.at("verdict") == "better");
    CHECK(json.at("explanations").at(0).at("agreement") == "none");
    CHECK(json.dump().find("s.db") == std::string::npos);
}

TEST_CASE("tables align, and drop what is dispensable", "[report]") {
    Table table({"", "number", "words"});
    table.add({{"first"}, {"1"}, {"one"}});
    table.section("empty sections are left out");
    table.section("second part");
    table.add({{"x"}, {"12345678"}, {"many"}});
    CHECK(table.render(wide, {1}) == "           number  words\n"
                                     "  first         1  one\n"
                                     "\n"
                                     "  second part\n"
                                     "  x      12345678  many\n");
    CHECK_THAT(table.render({false, false, 20}, {1}), !ContainsSubstring("12345678"));
}

TEST_CASE("wrapping keeps words whole and lines short", "[report]") {
    CHECK(wrap("", 2, 80).empty());
    CHECK(wrap("a b", 2, 80) == "  a b\n");
    const std::string wrapped = wrap("the quick brown fox jumps over the lazy dog", 2, 22);
    CHECK(longest_line(wrapped) <= 22);
    CHECK_THAT(wrapped, ContainsSubstring("  the quick brown fox\n"));
    CHECK_THAT(wrap("short " + std::string(40, 'x') + " end", 0, 20), ContainsSubstring(std::string(40, 'x')));
}

TEST_CASE("progress into a file: one line per phase, none when quiet", "[report]") {
    const TempDir dir("progress-test");
    const auto path = dir.path() / "log";
    std::FILE *log = std::fopen(path.c_str(), "w");
    {
        ProgressLine progress(log, false);
        progress.update("building", 0.0);
        progress.update("building", 0.5);
        progress.update("booting", 0.0, "0 of 10 runs");
        progress.update("booting", 1.0, "10 of 10 runs");
        ProgressLine quiet(log, true);
        quiet.update("silent", 0.5);
    }
    std::fclose(log);
    CHECK(read_file(path) == "building 0 %\nbooting 0 % (0 of 10 runs)\nbooting 100 % (10 of 10 runs)\n");
}
