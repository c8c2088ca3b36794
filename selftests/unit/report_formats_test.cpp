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
    add(placement("migrations.llc", MetricKind::count), {6000, 6001, 5999, 6002, 6000}, {3, 2, 3, 1, 4});
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

// With what a comparison seldom has.
ComparisonReport full_example() {
    ComparisonReport report = example();
    report.looks = 3;
    report.losses = {{"a", 4, {"placement.events", 17, Severity::info}}};
    return report;
}

// Without what markup and line breaks put between words.
std::string flat(const std::string &text) {
    std::string result;
    for (const char c : text)
        if (c != '\\' && (!std::isspace(static_cast<unsigned char>(c)) || (!result.empty() && result.back() != ' ')))
            result += std::isspace(static_cast<unsigned char>(c)) ? ' ' : c;
    return result;
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
    broken["metrics"][1].erase("scale");
    CHECK_THAT(thrown([&] { parse_comparison(broken); }).what(), ContainsSubstring("metrics[1]: 'scale' is missing"));
    broken = json;
    broken["metrics"][1]["a"]["values"].clear();
    CHECK_THAT(thrown([&] { parse_comparison(broken); }).what(), ContainsSubstring("metrics[1].a: 'values' has none"));
    broken = json;
    broken["metrics"][0]["verdict"] = "excellent";
    CHECK_THAT(thrown([&] { parse_comparison(broken); }).what(), ContainsSubstring("'excellent' is not known"));
    for (const auto &seeds : {nlohmann::ordered_json("many"), nlohmann::ordered_json({1, 5e44}), nlohmann::ordered_json({1, -2})}) {
        broken = json;
        broken["arms"]["a"]["seeds"] = seeds;
        CHECK_THAT(thrown([&] { parse_comparison(broken); }).what(), ContainsSubstring("'seeds' must be an array of integers of at least 0"));
    }
}

TEST_CASE("every format tells what moved, where a sequential comparison ended, warnings, losses and differences", "[report]") {
    const ComparisonReport report = full_example();
    for (const Format format : {Format::text, Format::lkml, Format::markdown, Format::csv, Format::json, Format::html}) {
        const std::string text = flat(comparison_in(format, report, {}));
        INFO(text);
        CHECK_THAT(text, ContainsSubstring("migrations fell from 6000 to 3; wakeups on the CPU last run on rose from 10.0 % to 90.0 %"));
        CHECK_THAT(text, ContainsSubstring(": agrees; wakeups that left an idle previous CPU rose from 3 to 30: speaks against it"));
        CHECK_THAT(text, ContainsSubstring(format == Format::json ? "\"looks\": 3" : "nded at look 3"));
        CHECK_THAT(text, ContainsSubstring(format == Format::html ? "beware of &lt;b&gt; &amp; others" : "beware of <b> & others"));
        CHECK_THAT(text, ContainsSubstring("placement.events"));
        for (const char *part : {"sysctls.sched_x", "CONFIG_HZ", "250", "1000"})
            CHECK_THAT(text, ContainsSubstring(part));
    }
    CHECK_THAT(flat(comparison_in(Format::text, example(), {})), !ContainsSubstring("look"));
}

TEST_CASE("a comparison of an older schedlab is read, and what it lacks is said", "[report]") {
    auto old = comparison_json(example());
    const auto seeds = old["arms"]["a"]["seeds"];
    for (const char *key : {"looks", "explanations", "environment", "configuration"})
        old.erase(key);
    old["seeds"] = seeds;
    for (const char *arm : {"a", "b"})
        old["arms"][arm].erase("seeds");
    for (auto &metric : old["metrics"])
        for (const char *key : {"kind", "mean_change", "mean_interval", "moved", "detectable"})
            metric.erase(key);
    const ComparisonReport report = parse_comparison(old);
    REQUIRE(report.warnings.size() == 2);
    CHECK_THAT(report.warnings[1], ContainsSubstring("older schedlab"));
    const auto again = comparison_json(report), now = comparison_json(example());
    CHECK(again["explanations"] == now["explanations"]);
    for (std::size_t i = 0; i < now["metrics"].size(); ++i)
        for (const char *key : {"kind", "mean_change", "moved", "verdict"}) {
            INFO(now["metrics"][i]["name"] << " " << key);
            CHECK(again["metrics"][i][key] == now["metrics"][i][key]);
        }
    CHECK(report.b.seeds == std::vector<std::uint64_t>{1, 2, 3, 4, 5});
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
    CHECK(count(csv, "\r\n") == 11); // titles, metrics, the conclusion, a warning, two differences
    CHECK_THAT(csv, ContainsSubstring("metric,migrations,1,placement,lower,count,1,5,5,6000,3,difference,-5998,"));
    CHECK_THAT(csv, ContainsSubstring("metric,\"usec,\"\"quoted\"\"\",us,time"));
    std::istringstream lines(csv); // the last ones have no field in quotes with a comma
    for (std::string line; std::getline(lines, line);)
        if (line.starts_with("environment") || line.starts_with("row"))
            CHECK(count(line, ",") == 19);
}

TEST_CASE("html: one file without scripts or links out, every metric, warnings, differences", "[report]") {
    const std::string html = comparison_in(Format::html, example(), {});
    CHECK_THAT(html, ContainsSubstring("beware of &lt;b&gt; &amp; others"));
    CHECK_THAT(html, !ContainsSubstring("<script") && !ContainsSubstring("http"));
    CHECK(count(html, "<tr class=\"primary\" data-metric=\"migrations\">") == 1);
    CHECK(count(html, "data-metric=") == 5); // the one that is 0 in every run is named below the table
    CHECK_THAT(html, ContainsSubstring("0 in every run: migrations.exec"));
    CHECK(html.find("data-metric=\"missed.prev\"") < html.find("data-metric=\"migrations\""));
    for (const char *part : {"verdicts", "distributions", "ledger", "time", "map", "environment", "configuration"}) {
        INFO(part);
        CHECK_THAT(html, ContainsSubstring(std::string("id=\"") + part + "\""));
        CHECK_THAT(html, ContainsSubstring(std::string("href=\"#") + part + "\""));
    }
    CHECK_THAT(html, ContainsSubstring("CONFIG_HZ"));
    CHECK(count(html, "<svg") == count(html, "</svg>"));
    CHECK(count(html, "<svg") == count(html, "role=\"img\"><title>"));
}

TEST_CASE("html: migrations on the machine, by distance, and between CPUs where that is known", "[report]") {
    ComparisonReport report = example();
    const std::string by_distance = migration_map(report);
    CHECK(count(by_distance, "class=\"box\"") == 1);
    CHECK(count(by_distance, "class=\"arc a\"") == 1);
    CHECK_THAT(by_distance, ContainsSubstring("a: 6000 at distance llc") && ContainsSubstring("b: 3 at distance llc"));
    using Values = std::vector<double>;
    report.metrics.push_back(compare(placement("migrations.cpu0.cpu1", MetricKind::count), Values(5, 40.0), Values(5, 0.0), true));
    report.metrics.push_back(compare(placement("migrations.cpu1.cpu0", MetricKind::count), Values(5, 41.0), Values(5, 2.0), true));
    report.metrics.push_back(compare(placement("migrations.cpu1.cpu9", MetricKind::count), Values(5, 41.0), Values(5, 2.0), true));
    const std::string exact = migration_map(report);
    CHECK(count(exact, "class=\"arc a\"") == 2); // there is no CPU 9
    CHECK(count(exact, "class=\"arc b\"") == 1); // 0 is no arc
    CHECK_THAT(exact, ContainsSubstring("a: 41 cpu1 to cpu0"));
    report.domains.clear();
    CHECK(migration_map(report).empty());
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
