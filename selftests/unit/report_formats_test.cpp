// SPDX-License-Identifier: GPL-2.0-or-later
// Every format says what the one report says.
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <sstream>

#include "core/error.h"
#include "report/comparison_words.h"
#include "report/format.h"
#include "report/html.h"
#include "report/sparkline.h"
#include "thrown.h"

using namespace schedlab;
using schedlab::test::thrown;
using Catch::Matchers::ContainsSubstring;

namespace {

Metric placement(const char *name, MetricKind kind, Direction direction = Direction::lower_is_better) {
    return {name, "1", MetricClass::placement, direction, kind, 0};
}

ComparisonReport example() {
    ComparisonReport report;
    report.machine = "toy";
    report.base = "6.12";
    report.a = {"6.12 <stock>, ASYM_PREV off", "k", {{"ASYM_PREV", false}}, {1, 2, 3, 4, 5}, {}, {}};
    report.b = {"6.12, ASYM_PREV on", "k", {{"ASYM_PREV", true}}, {1, 2, 3, 4, 5}, {}, {}};
    report.a.started_at = report.b.started_at = std::vector<std::string>(5, "2020-11-09T12:00:00Z");
    report.load = "pipe";
    report.options = {{"loops", 3000}};
    report.domains = {{0, {{"MC", {"SD_SHARE_LLC"}, CpuSet{0, 1}}}}, {1, {{"MC", {"SD_SHARE_LLC"}, CpuSet{0, 1}}}}};
    using Values = std::vector<double>;
    const auto add = [&](const Metric &metric, const Values &a, const Values &b) { report.metrics.push_back(compare(metric, a, b, true)); };
    add(placement("migrations", MetricKind::count), {6000, 6001, 5999, 6002, 6000}, {3, 2, 3, 1, 4});
    add(placement("missed.prev", MetricKind::count), {3, 2, 3, 1, 4}, {30, 20, 31, 17, 44});
    add(placement("migrations.exec", MetricKind::count), Values(5, 0.0), Values(5, 0.0));
    add(placement("wake.prev.same.share", MetricKind::share, Direction::neutral), {0.1, 0.11, 0.1, 0.12, 0.1}, {0.9, 0.91, 0.9, 0.92, 0.9});
    add({"usec,\"quoted\"", "us", MetricClass::time, Direction::lower_is_better, MetricKind::value, 0}, {1, 2, 3, 4, 5}, {2, 3, 4, 5, 6});
    report.metrics[0].primary = true;
    report.warnings = {"beware of <b> & others"};
    report.environment = {{"sysctls.sched_x", "1", "2"}};
    report.configuration = {{"CONFIG_HZ", "250", "1000"}};
    report.command = "schedlab ab --machine toy --base 6.12 --feature ASYM_PREV --load pipe --loops 3000 --tag-b a-tag-that-makes-it-long";
    report.made_at = "2020-11-09T12:00:00Z";
    return report;
}

std::size_t count(const std::string &text, const std::string &part) {
    std::size_t found = 0;
    for (std::size_t at = text.find(part); at != text.npos; at = text.find(part, at + part.size()))
        ++found;
    return found;
}

} // namespace

TEST_CASE("a report that was written is read back whole", "[report]") {
    const auto json = comparison_json(example());
    CHECK(comparison_json(parse_comparison(json)) == json);
    auto broken = json;
    broken["metrics"][1].erase("kind");
    CHECK_THAT(thrown([&] { parse_comparison(broken); }).what(), ContainsSubstring("metrics[1]: 'kind' is missing"));
    broken = json;
    broken["metrics"][0]["verdict"] = "excellent";
    CHECK_THAT(thrown([&] { parse_comparison(broken); }).what(), ContainsSubstring("'excellent' is not known"));
    broken = json;
    broken["arms"]["a"]["seeds"] = "many";
    CHECK_THROWS_AS(parse_comparison(broken), Error);
}

TEST_CASE("lkml: plain, short lines, the worst first, commands and differences", "[report]") {
    const std::string mail = comparison_in(Format::lkml, example(), {});
    std::istringstream lines(mail);
    for (std::string line; std::getline(lines, line);) {
        INFO(line);
        CHECK(line.size() <= 72);
        for (const unsigned char c : line)
            CHECK((c >= 0x20 && c < 0x7f));
    }
    CHECK(mail.find("missed.prev") > mail.find("migrations *")); // in the part that explains
    CHECK_THAT(mail, ContainsSubstring("warning: beware"));
    CHECK_THAT(mail, ContainsSubstring("schedlab ab --machine toy"));
    CHECK_THAT(mail, ContainsSubstring(" \\\n"));
    CHECK_THAT(mail, ContainsSubstring("CONFIG_HZ: 250 -> 1000"));
    CHECK_THAT(mail, ContainsSubstring("0 in every run: migrations.exec"));
}

TEST_CASE("the worst comes first", "[report]") {
    const ComparisonReport report = example();
    const auto sorted = worst_first(report.metrics);
    CHECK(sorted[0]->metric.name == "missed.prev");
    CHECK(sorted[1]->metric.name == "migrations");
    CHECK(sorted.back()->metric.name == "migrations.exec");
}

TEST_CASE("markdown and CSV keep odd names in their cells", "[report]") {
    const std::string markdown = comparison_in(Format::markdown, example(), {});
    CHECK_THAT(markdown, ContainsSubstring("| **migrations** | 6000 | 3 | -5998 |"));
    CHECK_THAT(markdown, ContainsSubstring("6.12 \\<stock\\>"));
    const std::string csv = comparison_in(Format::csv, example(), {});
    CHECK(count(csv, "\r\n") == 6);
    CHECK_THAT(csv, ContainsSubstring("migrations,1,placement,lower,count,1,5,5,6000,3,difference,-5998,"));
    CHECK_THAT(csv, ContainsSubstring("\"usec,\"\"quoted\"\"\",us,time"));
}

TEST_CASE("html: one file without scripts or links out, every metric, warnings, differences", "[report]") {
    const std::string html = comparison_in(Format::html, example(), {});
    CHECK_THAT(html, ContainsSubstring("beware of &lt;b&gt; &amp; others"));
    CHECK_THAT(html, !ContainsSubstring("<script") && !ContainsSubstring("http"));
    CHECK(count(html, "<tr class=\"primary\" data-metric=\"migrations\">") == 1);
    CHECK(count(html, "data-metric=") == 4); // the one that is 0 in every run is named below the table
    CHECK_THAT(html, ContainsSubstring("0 in every run: migrations.exec"));
    CHECK(html.find("data-metric=\"missed.prev\"") < html.find("data-metric=\"migrations\""));
    for (const char *part : {"verdicts", "distributions", "ledger", "time", "environment", "configuration"}) {
        INFO(part);
        CHECK_THAT(html, ContainsSubstring(std::string("id=\"") + part + "\""));
        CHECK_THAT(html, ContainsSubstring(std::string("href=\"#") + part + "\""));
    }
    CHECK_THAT(html, ContainsSubstring("CONFIG_HZ"));
    CHECK(count(html, "<svg") == count(html, "</svg>"));
    CHECK(count(html, "<svg") == count(html, "role=\"img\"><title>"));
}

TEST_CASE("formats are found by name", "[report]") {
    CHECK(parse_format("lkml") == Format::lkml);
    CHECK_THAT(thrown([] { parse_format("htm"); }).remedy(), ContainsSubstring("did you mean html"));
}

TEST_CASE("sparklines put both arms on one scale, where a terminal shows them", "[report]") {
    CHECK(sparkline_pair(std::vector<double>{0, 7}, std::vector<double>{3, 4}) == "▁█ ▄▅");
    CHECK(sparkline_pair(std::vector<double>{5, 5}, std::vector<double>{5}) == "▅▅ ▅");
    CHECK(sparkline_pair(std::vector<double>(30, 1.0), std::vector<double>{1}).size() == 3 * 11 + 1);
    const Terminal wide{.columns = 140, .unicode = true}, narrow{.columns = 60, .unicode = true};
    CHECK_THAT(comparison_text(example(), wide), ContainsSubstring("██"));
    CHECK_THAT(comparison_text(example(), narrow), !ContainsSubstring("██"));
    CHECK_THAT(comparison_text(example(), {}), !ContainsSubstring("██"));
}
