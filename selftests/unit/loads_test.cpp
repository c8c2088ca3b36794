// SPDX-License-Identifier: GPL-2.0-or-later
// What holds for every load, by short runs in this process.
#include "loads/load.h"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <sstream>

#include "loads/affinity.h"
#include "sys/files.h"
#include "thrown.h"

using namespace schedlab;
using test::says;
using test::thrown;
using Json = nlohmann::ordered_json;

namespace {

struct Ran {
    std::string calls;
    LoadResult result;

    bool has(std::string_view name) const {
        return std::ranges::find(result.metrics, name, &Metric::name) != result.metrics.end();
    }
    double value(std::string_view name) const {
        const auto at = std::ranges::find(result.metrics, name, &Metric::name);
        REQUIRE(at != result.metrics.end());
        return at->value;
    }
};

Ran run(const char *name, const std::vector<std::string> &args) {
    const Load &load = find_load(name);
    const Json options = parse_options(load.options, args, name);
    check_load(load, options);
    Ran ran;
    LoadHooks hooks;
    hooks.begin = [&] { ran.calls += "begin "; };
    hooks.end = [&] { ran.calls += "end"; };
    ran.result = run_load(load, options, 1, hooks);
    CHECK(ran.calls == "begin end");
    CHECK(ran.result.elapsed_ns > 0);
    return ran;
}

const std::vector<std::string> short_frames = {"--frames", "6",         "--warmup", "1",
                                               "--refresh", "120",      "--layout", "300"};

} // namespace

TEST_CASE("frames: every frame is complete and counted", "[loads]") {
    const Ran ran = run("frames", short_frames);
    CHECK(ran.result.operations == 6);
    CHECK(ran.value("frames") == 6);
    CHECK(ran.value("frame_ms.p25") >= 0.3);
    CHECK(ran.value("frame_ms.p25") <= ran.value("frame_ms.p50"));
    CHECK(ran.value("frame_ms.p95") <= ran.value("frame_ms.p99"));
    CHECK(ran.value("janks") <= 6);
}

TEST_CASE("frames: the rows are the counted frames, and give the metrics", "[loads]") {
    const Ran ran = run("frames", short_frames);
    REQUIRE(ran.result.frames.size() == 6);
    double sum = 0, janks = 0;
    for (std::size_t i = 0; i < 6; ++i) {
        const FrameTimes &frame = ran.result.frames[i];
        CHECK(frame.number == std::int64_t(i) + 1);
        CHECK(frame.part.empty());
        CHECK((frame.vsync_ns <= frame.start_ns && frame.start_ns <= frame.drawn_ns && frame.drawn_ns <= frame.completed_ns));
        sum += double(frame.completed_ns - frame.start_ns) / 1e6;
        janks += frame.completed_ns > frame.vsync_ns + 1'000'000'000 / 120;
    }
    CHECK(std::abs(sum / 6 - ran.value("frame_ms.mean")) < 1e-9);
    CHECK(janks == ran.value("janks"));
}

TEST_CASE("frames: rows of instances say whose they are", "[loads]") {
    std::vector<std::string> args = short_frames;
    args.insert(args.end(), {"--instances", "2"});
    const Ran ran = run("frames", args);
    REQUIRE(ran.result.frames.size() == 12);
    CHECK(ran.result.frames[0].part == "0");
    CHECK(ran.result.frames[11].part == "1");
    CHECK(ran.result.frames[11].number == 6);
}

TEST_CASE("frames: the log has a line per counted frame, its times in order", "[loads]") {
    const TempDir dir("frames");
    std::vector<std::string> args = short_frames;
    args.insert(args.end(), {"--log", (dir.path() / "log").string()});
    run("frames", args);
    std::istringstream lines(read_file(dir.path() / "log"));
    std::string title;
    REQUIRE(std::getline(lines, title));
    CHECK(title.find("complete") != std::string::npos);
    int frames = 0;
    for (std::int64_t number, vsync, start, drawn, end; lines >> number >> vsync >> start >> drawn >> end;) {
        CHECK(number == ++frames);
        CHECK((vsync <= start && start <= drawn && drawn <= end));
    }
    CHECK(frames == 6);
    args.back() = (dir.path() / "nowhere" / "log").string();
    CHECK(thrown([&] { run("frames", args); }).code() == Exit::environment);
}

TEST_CASE("hogs: each has a share", "[loads]") {
    const Ran ran = run("hogs", {"--tasks", "3", "--duration", "20"});
    CHECK(ran.value("fairness") <= 1);
    CHECK(ran.value("shared.share") <= 1);
    for (const char *name : {"share.task0", "share.task1", "share.task2"})
        CHECK(ran.value(name) <= 1.01); // a clock per thread, and one for all
    CHECK_FALSE(ran.has("share.task3"));
}

TEST_CASE("hogs on one CPU share it", "[loads]") {
    const std::string cpu = std::to_string(cpus_allowed().first());
    const Ran ran = run("hogs", {"--tasks", "2", "--duration", "40", "--on", cpu});
    CHECK(ran.value("cpu.task0") == ran.value("cpu.task1"));
    CHECK(ran.value("share.task0") + ran.value("share.task1") <= 1.01);
}

TEST_CASE("hogs begin where they are told to", "[loads]") {
    // Where the kernel moves them from there is not ours to say; on one CPU they stay.
    const std::string cpu = std::to_string(cpus_allowed().first());
    const Ran ran = run("hogs", {"--tasks", "2", "--duration", "20", "--on", cpu, "--begin-on", cpu});
    CHECK(ran.value("cpu.task1") == std::stoi(cpu));
    CHECK(thrown([] { run("hogs", {"--begin-on", "core:4000"}); }).code() == Exit::usage);
}

TEST_CASE("spawn counts processes", "[loads]") {
    const Ran ran = run("spawn", {"--no-exec", "--loops", "2", "--depth", "3", "--chains", "2", "--warmup", "1"});
    CHECK(ran.result.operations == 12);
}

TEST_CASE("storm counts wakeups", "[loads]") {
    const Ran ran = run("storm", {"-w", "2", "-s", "5", "--rounds", "6", "--warmup", "2", "--interval", "500"});
    CHECK(ran.result.operations == 30);
    CHECK(ran.value("late") + ran.value("collisions") <= 30);
    CHECK(ran.value("late") >= 0);
}

TEST_CASE("wake: latencies of workers and requests", "[loads]") {
    for (const std::vector<std::string> &rate :
         {std::vector<std::string>{}, {"-R", "2000"}, {"-R", "2000", "-A", "10"}}) {
        std::vector<std::string> args = {"-d", "60", "--warmup", "20", "--work", "100", "-m", "2", "-t", "2"};
        args.insert(args.end(), rate.begin(), rate.end());
        const Ran ran = run("wake", args);
        CHECK(ran.result.operations > 0);
        CHECK(ran.value("request_latency_us.p50") >= 100);
        CHECK(ran.value("wake_latency_us.p50") <= ran.value("wake_latency_us.max"));
    }
}

TEST_CASE("mix: loads side by side, each under its name", "[loads]") {
    const std::vector<std::string> one_hog = {"--tasks", "1", "--duration", "10"};
    Json job = Json::array();
    for (const auto &[name, load, args] :
         {std::tuple("ui", "frames", short_frames), std::tuple("hogs", "hogs", one_hog)})
        job.push_back(Json{{"name", name},
                           {"load", load},
                           {"options", parse_options(find_load(load).options, args, load)}});
    const Ran ran = run("mix", {"--job", job.dump()});
    CHECK(ran.value("ui.frames") == 6);
    CHECK(ran.has("hogs.fairness"));
    REQUIRE(ran.result.frames.size() == 6);
    CHECK(ran.result.frames[0].part == "ui");
}

TEST_CASE("loads refuse what cannot be", "[loads]") {
    for (const auto &[name, args, part] :
         {std::tuple("frames", std::vector<std::string>{"--layout", "1", "--refresh", "100"}, "60, 90 or 120"),
          std::tuple("frames", std::vector<std::string>{}, "without work"),
          std::tuple("storm", std::vector<std::string>{"-w", "3", "-s", "2"}, "none to wake"),
          std::tuple("wake", std::vector<std::string>{"-A", "5", "--sleep", "0", "--work", "0"}, "do nothing"),
          std::tuple("mix", std::vector<std::string>{}, "no job"),
          std::tuple("mix", std::vector<std::string>{"--job", "[1]"}, "job"),
          std::tuple("mix", std::vector<std::string>{"-j", R"([{"name":"a","load":"mix","options":{}}])"},
                     "mix in a mix")}) {
        INFO(name);
        const Load &load = find_load(name);
        const Json options = parse_options(load.options, args, name);
        const Error error = thrown([&] { check_load(load, options); });
        CHECK(error.code() == Exit::usage);
        CHECK(says(error, part));
    }
}
