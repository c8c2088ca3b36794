// SPDX-License-Identifier: GPL-2.0-or-later
// Logs in the shape of other tools' output, written for these tests.
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
using schedlab::test::warns;
using Catch::Matchers::ContainsSubstring;

TEST_CASE("perf bench: pipe, messaging, a cgroup that was not entered, a run that failed", "[import]") {
    const Imported log = read("# Running 'sched/pipe' benchmark:\n# Executed 2000 pipe operations between two threads\n\n"
                              "     Total time: 0.009 [sec]\n\n       4.500000 usecs/op\n         222222 ops/sec\n\n"
                              "# Running 'sched/messaging' benchmark:\n# 20 sender and receiver processes per group\n"
                              "# 10 groups == 400 processes run\n\n     Total time: 0.154 [sec]\n\n"
                              "# Running 'sched/pipe' benchmark:\nFailed to open cgroup file in AAA\n"
                              "     Total time: 0.009 [sec]\n       4.500000 usecs/op\n         222222 ops/sec\n"
                              "# Running 'sched/pipe' benchmark:\n");
    CHECK(log.format == "perf bench");
    REQUIRE(log.results.size() == 2);
    CHECK(log.results[0].record.load == "pipe");
    CHECK(log.results[0].record.options == nlohmann::ordered_json{{"loops", 2000}, {"threaded", true}});
    CHECK(value(log, "usec_per_op") == 4.5);
    CHECK(value(log, "ops_per_sec") == 222222);
    CHECK(log.results[1].record.load == "messaging");
    CHECK(log.results[1].line == 9);
    CHECK(log.results[1].record.options.at("groups") == 10);
    CHECK(value(log, "seconds", 1) == 0.154);
    REQUIRE(log.skipped.size() == 2);
    CHECK(log.skipped[0].line == 15);
    CHECK_THAT(log.skipped[0].reason, ContainsSubstring("cgroup"));
    CHECK(log.skipped[1].line == 20);
}

TEST_CASE("hackbench: new and old, and one that ran out of descriptors", "[import]") {
    const Imported log = read("Running in process mode with 10 groups using 40 file descriptors each (== 400 tasks)\r\n"
                              "Each sender will pass 100 messages of 100 bytes\r\nTime: 0.154\r\n"
                              "Running in threaded mode with 2 groups using 40 file descriptors each\n"
                              "Each sender will pass 100 messages of 100 bytes\nCreating fdpair (error: Too many open files)\n"
                              "Running in threaded mode with 1 groups using 40 file descriptors each\nTime: 0.02\nTime: 0.03\n");
    REQUIRE(log.results.size() == 2);
    CHECK(value(log, "seconds") == 0.154);
    CHECK(log.results[0].record.options.at("groups") == 10);
    CHECK(log.results[0].record.options.at("threaded") == false);
    CHECK(log.results[0].record.options.at("size") == 100);
    CHECK(value(log, "seconds", 1) == 0.02);
    REQUIRE(log.skipped.size() == 2);
    CHECK(log.skipped[0].line == 4);
    CHECK_THAT(log.skipped[0].reason, ContainsSubstring("failed"));
    CHECK(log.skipped[1].line == 9);
    CHECK(warns(log, "counts as a boot of its own"));
}

TEST_CASE("schbench: the last of each block, stars, old labels, a histogram too coarse", "[import]") {
    const std::string block = "Wakeup Latencies percentiles (usec) runtime {} (s) (99 total samples)\n"
                              "\t  50.0th: {}          (50 samples)\n\t* 99.0th: 14         (9 samples)\n\t  99.9th: 22         (1 samples)\n"
                              "\t  min=1, max=20\n";
    const auto at = [&](int runtime, int p50) { return fmt::format(fmt::runtime(block), runtime, p50); };
    const Imported log = read(at(10, 9) + at(20, 8) + "average rps: 1037.23\n" + at(10, 7));
    REQUIRE(log.results.size() == 2);
    CHECK(value(log, "wakeup_us.p50") == 8);
    CHECK(value(log, "wakeup_us.p99") == 14);
    CHECK(value(log, "wakeup_us.max") == 20);
    CHECK(value(log, "rps.average") == 1037.23);
    CHECK(value(log, "wakeup_us.p50", 1) == 7);
    CHECK(log.results[1].line == 12);
    CHECK(warns(log, "above its max"));

    const Imported old = read("Latency percentiles (usec)\n\t49.0000th: 9\n\t*98.0000th: 14\n\tOver=0, min=0, max=100\n");
    CHECK(value(old, "wakeup_us.p49") == 9);
    CHECK(value(old, "wakeup_us.p98") == 14);
    CHECK(value(old, "wakeup_us.max") == 100);
    CHECK_FALSE(warns(old, "above its max"));
}

TEST_CASE("schbench: requests and their rate are blocks of their own", "[import]") {
    const Imported log = read("Wakeup Latencies percentiles (usec) runtime 30 (s) (34393 total samples)\n\t  50.0th: 9          (10391 samples)\n"
                              "Request Latencies percentiles (usec) runtime 30 (s) (34392 total samples)\n\t* 99.0th: 4104       (3000 samples)\n"
                              "\t  min=3100, max=9000\nRPS percentiles (requests) runtime 30 (s) (31 total samples)\n"
                              "\t* 50.0th: 1146       (20 samples)\n\t  min=1100, max=1160\n");
    REQUIRE(log.results.size() == 1);
    CHECK(value(log, "wakeup_us.p50") == 9);
    CHECK(value(log, "request_us.p99") == 4104);
    CHECK(value(log, "request_us.max") == 9000);
    CHECK(value(log, "rps.p50") == 1146);
    CHECK(log.results[0].record.find("rps.p50")->direction == Direction::higher_is_better);
}

TEST_CASE("netperf: a table with CPU columns, rows alone, keys, and what did not converge", "[import]") {
    const Imported log = read("MIGRATED UDP REQUEST/RESPONSE TEST from 0.0.0.0 () port 0 AF_INET to localhost () : first burst 0\n"
                              "!!! WARNING\n!!! Desired confidence was not achieved within the specified iterations.\n"
                              "Local /Remote\nSend   Recv   Size     Size    Time     Rate\nbytes  Bytes  bytes    bytes   secs.    per sec\n\n"
                              "16384  131072 1        1       10.00    23456.78   12.1  13.0  20.5  22.1\n16384  131072\n"
                              "MIGRATED TCP STREAM TEST from 0.0.0.0 () port 0 AF_INET to localhost () port 0 AF_INET\n"
                              "131072 16384 16384 10.00 9000.00 1.0\n");
    REQUIRE(log.results.size() == 1);
    CHECK(value(log, "trans_per_sec") == 23456.78);
    CHECK(log.results[0].record.load == "rr");
    CHECK(log.results[0].record.options.at("protocol") == "udp");
    CHECK(warns(log, "confidence"));
    CHECK(log.skipped.at(0).line == 10);

    CHECK(value(read("16384  131072 1        1       10.00    100.5\n16384  131072\n"), "trans_per_sec") == 100.5);
    CHECK(value(read("THROUGHPUT=200.25\nTHROUGHPUT_UNITS=Trans/s\n"), "trans_per_sec") == 200.25);
    CHECK_THAT(thrown([] { read("THROUGHPUT=200.25\nTHROUGHPUT_UNITS=10^6bits/s\n"); }).remedy(), ContainsSubstring("10^6bits/s"));
}

TEST_CASE("tbench, sysbench, stress-ng", "[import]") {
    const Imported tbench = read("   8  1234   300.10 MB/sec  warmup   1 sec  latency 5.1 ms\n   8  9999   310.10 MB/sec  execute  2 sec\n"
                                 "Throughput 1234.56 MB/sec  8 clients  8 procs  max_latency=12.345 ms\n");
    CHECK(tbench.results.size() == 1);
    CHECK(value(tbench, "mb_per_sec") == 1234.56);
    CHECK(value(tbench, "latency_ms.max") == 12.345);
    CHECK(tbench.results[0].record.options.at("clients") == 8);

    const Imported sysbench = read("sysbench 1.0.20 (using system LuaJIT 2.1.0)\n\nNumber of threads: 4\n    events per second:  1500.25\n"
                                   "Latency (ms):\n         min:                    0.60\n         avg:                    0.66\n"
                                   "         max:                    9.10\n         95th percentile:        0.70\n"
                                   "sysbench 0.4.12:  multi-threaded system evaluation benchmark\n    total time:      2.0s\n"
                                   "    total number of events:              1000\n         approx.  95 percentile:               1.10ms\n"
                                   "sysbench 1.0.20 (using system LuaJIT 2.1.0)\nFATAL: no such test\n");
    REQUIRE(sysbench.results.size() == 2);
    CHECK(value(sysbench, "ops_per_sec") == 1500.25);
    CHECK(value(sysbench, "latency_ms.p95") == 0.70);
    CHECK(sysbench.results[0].record.options.at("threads") == 4);
    CHECK(value(sysbench, "ops_per_sec", 1) == 500);
    CHECK(value(sysbench, "latency_ms.p95", 1) == 1.10);
    CHECK(sysbench.skipped.at(0).line == 14);

    const std::string head = "stress-ng: info:  [77] stressor       bogo ops real time  usr time  sys time   bogo ops/s     bogo ops/s\n"
                             "stress-ng: info:  [77]                           (secs)    (secs)    (secs)   (real time) (usr+sys time)\n";
    const Imported stress = read(head + "stress-ng: metrc: [77] cpu                3213     10.00     79.80      0.01       321.26          40.25\n"
                                        "stress-ng: metrc: [77] switch             1000      0.00      0.00      0.00         0.00           0.00\n" +
                                 head + "stress-ng: info:  [78] cpu                3300     10.00     79.80      0.02       330.00          41.00\n");
    REQUIRE(stress.results.size() == 2);
    CHECK(value(stress, "cpu.ops_per_sec") == 321.26);
    CHECK(value(stress, "cpu.ops_per_sec", 1) == 330);
    CHECK(stress.skipped.at(0).line == 4);
}

TEST_CASE("cyclictest: threads, histograms", "[import]") {
    const Imported quiet = read("# /dev/cpu_dma_latency set to 0us\nT: 0 ( 1234) P:80 I:1000 C:  10000 Min:      2 Act:    3 Avg:    4 Max:      25\n"
                                "T: 1 ( 1235) P:80 I:1500 C:   6666 Min:      1 Act:    3 Avg:    6 Max:      20\n");
    CHECK(value(quiet, "latency_us.min") == 1);
    CHECK(value(quiet, "latency_us.avg") == 5);
    CHECK(value(quiet, "latency_us.max") == 25);
    const Imported histogram = read("# Histogram\n000001 000000 000050\n000002 000040 000000\n000009 000000 000010\n# Total: 000000040 000000060\n"
                                    "# Min Latencies: 00002 00001\n# Avg Latencies: 00002 00002\n# Max Latencies: 00002 00009\n"
                                    "# Histogram Overflows: 00000 00000\n");
    CHECK(value(histogram, "latency_us.max") == 9);
    CHECK(value(histogram, "latency_us.p50") == 1);
    CHECK(value(histogram, "latency_us.p99") == 9);
    CHECK_THAT(thrown([] { read("# Histogram\n000001 000000\n"); }).remedy(), ContainsSubstring("cut off"));
}

TEST_CASE("mmtests: columns are kernels, positive is better, stars mean nothing", "[import]") {
    const Imported log = read("                          5.10.0                 5.10.0\n                         vanilla                cluster\n"
                              "Amean     1        0.4000 (   0.00%)      0.3600 *  10.00%*\nHmean     mb/sec-1   100.00 (   0.00%)     90.00 ( -10.00%)\n");
    REQUIRE(log.results.size() == 2);
    CHECK(log.results[0].kernel == "5.10.0-vanilla");
    CHECK(log.results[1].kernel == "5.10.0-cluster");
    CHECK(value(log, "Amean.1") == 0.4);
    CHECK(value(log, "Amean.1", 1) == 0.36);
    CHECK(log.results[0].record.find("Amean.1")->direction == Direction::lower_is_better);
    CHECK(log.results[0].record.find("Hmean.mb/sec-1")->direction == Direction::higher_is_better);
}

TEST_CASE("perf stat: for people, for programs, per cluster, what was not counted", "[import]") {
    const Imported text = read("\n Performance counter stats for 'true' (5 runs):\n\n"
                               "              0.47 msec task-clock                       #    0.612 CPUs utilized            ( +-  2.33% )\n"
                               "                 3      context-switches                 #    6.3 K/sec\n         1,234,567      cycles:u\n"
                               "     <not supported>      instructions\n\n       0.000771 +- 0.000020 seconds time elapsed  ( +-  2.5% )\n");
    CHECK(value(text, "task-clock") == 0.47);
    CHECK(value(text, "context-switches") == 3);
    CHECK(value(text, "cycles:u") == 1234567);
    CHECK(value(text, "seconds") == 0.000771);
    CHECK(text.skipped.at(0).line == 7);

    const Imported csv = read("# started on Mon Nov 30 12:00:00 2026\n\n4321,,context-switches,1.20%,1000342,100.00,,\n12.50,msec,task-clock,1000,100.00,,\n"
                              "<not counted>,,cycles,0,0.00,,\n# started on Mon Nov 30 12:01:00 2026\n4300,,context-switches,1000342,100.00,,\n");
    CHECK(csv.format == "perf stat -x,");
    REQUIRE(csv.results.size() == 2);
    CHECK(value(csv, "context-switches") == 4321);
    CHECK(value(csv, "task-clock") == 12.5);
    CHECK(value(csv, "context-switches", 1) == 4300);
    CHECK(csv.skipped.at(0).line == 5);
    const Imported behind = read("4321,,context-switches,1000342,100.00,1.20%,,\n"); // the variance, behind the time
    CHECK(value(behind, "context-switches") == 4321);
    const Imported clusters = read("S0-D0-CLS0,4,987654,,cycles,1000342,100.00,,\nS0-D0-CLS4,4,100,,cycles,1000342,100.00,,\nCPU7,55,,cycles,1,100.00,,\n");
    CHECK(clusters.results.size() == 1);
    CHECK(value(clusters, "S0-D0-CLS4.cycles") == 100);
    CHECK(value(clusters, "CPU7.cycles") == 55);
}

TEST_CASE("what is no log is refused, and what has no result says why", "[import]") {
    CHECK_THAT(thrown([] { read("hello\nworld\n"); }).what(), ContainsSubstring("not a log that schedlab knows"));
    CHECK_THAT(thrown([] { read("hello\n"); }).remedy(), ContainsSubstring("hackbench"));
    CHECK_THAT(thrown([] { read(""); }).what(), ContainsSubstring("log: an empty file"));
    CHECK_THAT(thrown([] { read("PERFILE2\x68\n"); }).remedy(), ContainsSubstring("perf script"));
    CHECK_THAT(thrown([] { read("<!DOCTYPE html>\n<html>\n"); }).what(), ContainsSubstring("log: a page"));
    const Error empty = thrown([] { read("Running in process mode with 10 groups using 40 file descriptors each\n"); });
    CHECK_THAT(empty.what(), ContainsSubstring("log: hackbench without a result"));
    CHECK_THAT(empty.remedy(), ContainsSubstring("line 1: no time follows"));
    CHECK(thrown([] { import_file("/no/such/file"); }).code() == Exit::environment);
    CHECK(thrown([] { import_file("/"); }).code() == Exit::environment);
}

TEST_CASE("of a file that is broken in every line, the first are told", "[import]") {
    const std::string head = "Running in process mode with 10 groups using 40 file descriptors each\n";
    std::string broken;
    for (std::size_t i = 0; i < most_skipped + 500; ++i)
        broken += "Time: x\n";
    const Imported log = read(head + "Time: 1\n" + broken);
    CHECK(log.results.size() == 1);
    CHECK(log.skipped.size() == most_skipped);
    CHECK_THAT(thrown([&] { read(head + broken); }).remedy(), ContainsSubstring("and at least 997 more"));
}

TEST_CASE("numbers: commas between groups, no decimal commas, nothing that cannot be computed with", "[import]") {
    const auto seconds_of = [](const std::string &number) {
        return read("Running in process mode with 10 groups using 40 file descriptors each\nTime: 1\n"
                    "Running in process mode with 10 groups using 40 file descriptors each\nTime: " + number + "\n");
    };
    CHECK(value(seconds_of("1,234.5"), "seconds", 1) == 1234.5);
    CHECK(value(seconds_of("12,34,567"), "seconds", 1) == 1234567);
    for (const char *number : {"1,5", "1,2345", ",123", "nan", "inf", "1e400", "1e101", "1e-320"}) {
        INFO(number);
        CHECK(seconds_of(number).results.size() == 1);
        CHECK(seconds_of(number).skipped.size() > 0);
    }
}

TEST_CASE("names from a log cannot move a terminal's cursor, nor be no text", "[import]") {
    const Imported log = read("# started on Mon Nov 30 12:00:00 2026\n\n7,,cyc\x1b[2Jles\xff,1000,100.00,,\n");
    CHECK(value(log, "cyc?[2Jles?") == 7);
}
