// SPDX-License-Identifier: GPL-2.0-or-later
// What load wake prints as a percentile is what schbench prints of the same latencies.
#include <bit>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <map>
#include <memory>
#include <random>
#include <sstream>

#include "loads/latency.h"
#include "source_dir.h"
#include "sys/files.h"

using namespace schedlab;

namespace {

// schbench counts whole microseconds, from 512 on in 256 buckets for each power of two, and names a bucket by its middle.
// A percentile is the first bucket with which that share of all samples has been seen.
double as_schbench(const std::vector<std::uint64_t> &ns, double percent) {
    std::vector<std::uint64_t> us;
    for (const std::uint64_t value : ns)
        us.push_back(value / 1000);
    std::ranges::sort(us);
    const std::uint64_t value = us[std::size_t(std::ceil(percent / 100 * double(us.size()) - 1e-9)) - 1];
    if (value < 512)
        return double(value);
    const int shift = std::bit_width(value) - 9;
    return double(value >> shift << shift) + 0.5 * double(1ull << shift);
}

void compare(const std::vector<std::uint64_t> &ns) {
    const auto histogram = std::make_unique<Histogram>();
    for (const std::uint64_t value : ns)
        histogram->add(value);
    const std::vector<Metric> metrics = latency_metrics("wake_latency_us", *histogram);
    const std::map<std::string, double> points = {{"p50", 50}, {"p90", 90}, {"p95", 95}, {"p99", 99}, {"p99.9", 99.9}};
    std::size_t compared = 0;
    for (const Metric &metric : metrics)
        if (const auto point = points.find(metric.name.substr(metric.name.find('.') + 1)); point != points.end()) {
            const double theirs = as_schbench(ns, point->second);
            INFO(metric.name << ": " << metric.value << ", schbench: " << theirs);
            CHECK(std::abs(metric.value - theirs) <= 1 + 0.02 * theirs); // its unit, and both histograms' buckets
            ++compared;
        }
    CHECK(compared == points.size());
}

// From sched_waking until the task runs, of all tasks, as the placement probe's events tell it.
std::vector<std::uint64_t> recorded() {
    std::vector<std::uint64_t> latencies;
    std::map<std::string, std::uint64_t> woken;
    std::istringstream lines(read_file(SCHEDLAB_SOURCE_DIR "/selftests/data/placement_asym.events"));
    for (std::string line; std::getline(lines, line);) {
        std::istringstream words(line);
        std::uint64_t time = 0;
        std::string kind, task;
        if (!(words >> time >> kind >> task)) // a line of a CPU
            continue;
        if (kind == "waking")
            woken[task] = time;
        else if (kind == "switch" && woken.contains(task))
            latencies.push_back(time - woken.extract(task).mapped());
    }
    return latencies;
}

} // namespace

TEST_CASE("wake's percentiles are schbench's: recorded latencies", "[loads][wake]") {
    const std::vector<std::uint64_t> latencies = recorded();
    REQUIRE(latencies.size() > 100);
    compare(latencies);
}

TEST_CASE("wake's percentiles are schbench's: long tails, two peaks, few samples", "[loads][wake]") {
    std::mt19937_64 random(7);
    for (const std::size_t count : {1, 2, 99, 1001, 50000}) {
        std::vector<std::uint64_t> tail, peaks;
        for (std::size_t i = 0; i < count; ++i) {
            const double uniform = (double(random() >> 11) + 1) / 0x1p53;
            tail.push_back(std::uint64_t(5e3 / uniform)); // ns: a Pareto tail above 5 us
            peaks.push_back(random() % 20 ? 3000 + random() % 2000 : 9'000'000 + random() % 4'000'000);
        }
        compare(tail);
        compare(peaks);
    }
}
