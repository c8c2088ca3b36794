// SPDX-License-Identifier: GPL-2.0-or-later
// Benchmarks of whole systems and the kernel's own counters, in the shape of their output, written for these tests.
#include "import/import.h"

#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include "core/error.h"
#include "imported.h"
#include "thrown.h"

using namespace schedlab;
using schedlab::test::read;
using schedlab::test::thrown;
using schedlab::test::value;
using Catch::Matchers::ContainsSubstring;

TEST_CASE("perf bench -f simple: seconds alone, with headings, and nothing else", "[import]") {
    const Imported log = read("0.154\n0.160\n\n# Running sched/pipe benchmark...\n4.532\n");
    CHECK(log.format == "perf bench -f simple");
    REQUIRE(log.results.size() == 3);
    CHECK(log.results[0].record.load == "perf_bench");
    CHECK(value(log, "seconds", 1) == 0.16);
    CHECK(log.results[2].record.load == "pipe");
    CHECK(value(log, "seconds", 2) == 4.532);
    CHECK_THAT(thrown([] { read("0.154\nsome text\n0.160\n"); }).remedy(), ContainsSubstring("line 2: seconds alone"));
    CHECK_THAT(thrown([] { read("0.15\n"); }).what(), ContainsSubstring("not a log"));
}

TEST_CASE("rt-app: columns by title, activations that were late, threads together", "[import]") {
    const std::string titles = "#idx     perf      run   period           start             end          rel_st      slack c_duration   c_period     wu_lat\n";
    const Imported log = read(titles + "   0    99321    10000    16000      2147483648      2147493664          100040       5888      10000      16000         50\n" +
                              "   0    99321    10200    16000      2147499648      2147509664          116040       -100      10000      16000         70\n" + titles +
                              "   1    99321    10400    16000      2147499648      2147509664          116040        100      10000      16000        900\n   1 x\n");
    REQUIRE(log.results.size() == 1);
    CHECK(log.results[0].record.load == "rt-app");
    CHECK(value(log, "activations") == 3);
    CHECK(value(log, "wakeup_us.p50") == 70);
    CHECK(value(log, "wakeup_us.max") == 900);
    CHECK(value(log, "slack_us.min") == -100);
    CHECK(value(log, "late") == 1);
    CHECK(value(log, "run_us.mean") == 10200);
    CHECK(log.skipped.at(0).line == 6);
    const Imported old = read("#idx perf run period start end rel_st slack\n0 1 100 200 0 100 0 7\n");
    CHECK(value(old, "slack_us.mean") == 7);
    CHECK_FALSE(old.results[0].record.find("wakeup_us.mean"));
    CHECK_THAT(thrown([&] { read(titles); }).remedy(), ContainsSubstring("no activations"));
}

TEST_CASE("UnixBench: a result per pass", "[import]") {
    const std::string pass = "Benchmark Run: Mon Nov 30 2026 12:00:00 - 12:28:00\n4 CPUs in system; running ";
    const Imported log = read(pass + "1 parallel copy of tests\n\nDhrystone 2 using register variables       45000000.0 lps   (10.0 s, 7 samples)\n"
                              "Shell Scripts (1 concurrent)                   5000.5 lpm   (60.0 s, 2 samples)\n"
                              "System Benchmarks Index Values               BASELINE       RESULT    INDEX\n"
                              "Dhrystone 2 using register variables         116700.0   45000000.0   3856.0\n"
                              "                                                                   ========\n"
                              "System Benchmarks Index Score                                        1234.5\n" +
                              pass + "4 parallel copies of tests\nPipe-based Context Switching   (10.0 s, 7 samples)\n"
                              "Execl Throughput                               3000.0 lps   (30.0 s, 2 samples)\n" + pass + "8 parallel copies of tests\n");
    REQUIRE(log.results.size() == 2);
    CHECK(log.results[0].record.options.at("copies") == 1);
    CHECK(value(log, "dhrystone_2_using_register_variables") == 45e6);
    CHECK(value(log, "shell_scripts_1_concurrent") == 5000.5);
    CHECK(value(log, "index") == 1234.5);
    CHECK(log.results[0].record.metrics.size() == 3);
    CHECK(value(log, "execl_throughput", 1) == 3000);
    REQUIRE(log.skipped.size() == 2);
    CHECK_THAT(log.skipped[0].reason, ContainsSubstring("no rate"));
    CHECK(log.skipped[1].line == 15);
}

TEST_CASE("schedstat: what was counted between two readings, by shape", "[import]") {
    const auto kinds = [](const std::string &a, const std::string &b, const std::string &c) { return " " + a + " " + b + " " + c; };
    const std::string tail_before = " 1 0 1 0 0 0 0 0 0 100 10 0\n", tail_after = " 3 0 2 0 0 0 0 0 0 150 12 0\n";
    // count, balanced, failed, imbalance, pulled, hot, no busy queue, no busy group
    const std::string before = "version 16\ntimestamp 1000\ncpu0 5 0 100 50 4294967290 20 1000000 2000000 90\ndomain0 00000003" +
                               kinds("9 9 9 9 10 0 0 0", "9 9 9 9 20 0 0 0", "9 9 9 9 30 0 0 0") + tail_before;
    const std::string after = "version 16\ntimestamp 2000\ncpu0 5 0 180 60 4 25 6000000 2500000 170\ndomain0 00000003" +
                              kinds("9 9 9 9 11 0 0 0", "9 9 9 9 22 0 0 0", "9 9 9 9 33 0 0 0") + tail_after;
    const Imported log = read(before + after);
    REQUIRE(log.results.size() == 1);
    CHECK(value(log, "switches") == 80);
    CHECK(value(log, "wakeups") == 10); // 32 bits, and they wrapped
    CHECK(value(log, "wakeups.local") == 5);
    CHECK(value(log, "ran_ms") == 5);
    CHECK(value(log, "waited_ms") == 0.5);
    CHECK(value(log, "pulled.busy") == 1);
    CHECK(value(log, "pulled.idle") == 2);
    CHECK(value(log, "pulled.newly_idle") == 3);
    CHECK(value(log, "pushed.active") == 1);
    CHECK(value(log, "wakeups.remote") == 50);
    CHECK(value(log, "wakeups.moved_affine") == 2);

    const auto version15 = [](std::string text) {
        text.replace(text.find("version 16"), 10, "version 15");
        return text;
    };
    CHECK(value(read(version15(before) + version15(after)), "pulled.idle") == 1);

    // Version 17: names, and four imbalances.
    const std::string head = "version 17\ntimestamp 1000\ncpu7 5 0 100 50 10 20 1000000 2000000 90\ndomain0 MC 00000003";
    const std::string later = "version 17\ntimestamp 3000\ncpu7 5 0 101 50 10 20 1000000 2000000 90\ndomain0 MC 00000003";
    const Imported named = read(head + kinds("9 9 9 0 0 0 0 10 0 0 0", "9 9 9 0 0 0 0 20 0 0 0", "9 9 9 0 0 0 0 30 0 0 0") + tail_before + later +
                                kinds("9 9 9 0 0 0 0 15 0 0 0", "9 9 9 0 0 0 0 20 0 0 0", "9 9 9 0 0 0 0 30 0 0 0") + tail_after);
    CHECK(value(named, "pulled.busy") == 5);
    CHECK(value(named, "switches") == 1);

    // Kernels between 6.14 and 6.15 printed that under version 16.
    const auto version16 = [](std::string text) {
        text.replace(text.find("version 17"), 10, "version 16");
        return text;
    };
    const std::string zero = kinds("9 9 9 0 0 0 0 10 0 0 0", "9 9 9 0 0 0 0 20 0 0 0", "9 9 9 0 0 0 0 30 0 0 0") + tail_before;
    const std::string one = kinds("9 9 9 0 0 0 0 12 0 0 0", "9 9 9 0 0 0 0 20 0 0 0", "9 9 9 0 0 0 0 30 0 0 0") + tail_after;
    CHECK(value(read(version16(head + zero) + version16(later + one)), "pulled.busy") == 2);

    CHECK_THAT(thrown([&] { read(before); }).remedy(), ContainsSubstring("no second reading"));
    CHECK_THAT(thrown([&] { read(after + before); }).remedy(), ContainsSubstring("another boot"));
    CHECK_THAT(thrown([&] { read(before + before); }).remedy(), ContainsSubstring("sched_schedstats"));
    const Imported three = read(before + after + before);
    CHECK(three.results.size() == 1);
    CHECK(three.skipped.size() == 1);
}
