// SPDX-License-Identifier: GPL-2.0-or-later
#include "loads/crew.h"

#include <catch2/catch_test_macros.hpp>
#include <csignal>
#include <sched.h>

#include "core/error.h"
#include "thrown.h"

using namespace schedlab;
using namespace std::chrono_literals;
using test::says;
using test::thrown;

namespace {

constexpr bool kinds[] = {false, true}; // processes, threads

void read_or_throw(const Fd &in) {
    char byte;
    if (::read(in.get(), &byte, 1) != 1)
        throw run_error("the read failed");
}

} // namespace

TEST_CASE("crew: all are there at begin, nobody works before it or after end", "[crew]") {
    for (const bool threaded : kinds) {
        SharedArray<std::atomic<int>> counts(2); // prepared, worked
        Crew crew("test", threaded);
        for (int i = 0; i < 5; ++i)
            crew.add([&counts](CrewTask &self) {
                ++counts[0];
                self.start();
                ++counts[1];
                self.finish(3);
            });
        int calls = 0;
        LoadHooks hooks;
        hooks.begin = [&] {
            CHECK(counts[0] == 5);
            CHECK(counts[1] == 0);
            ++calls;
        };
        hooks.end = [&] {
            CHECK(counts[1] == 5);
            ++calls;
        };
        const Crew::Outcome outcome = crew.run(hooks);
        CHECK(calls == 2);
        CHECK(outcome.operations == 15);
        CHECK(outcome.elapsed_ns > 0);
    }
}

TEST_CASE("crew: a duration ends what has no count", "[crew]") {
    for (const bool threaded : kinds) {
        Crew crew("test", threaded);
        crew.add([](CrewTask &self) {
            self.start();
            std::uint64_t rounds = 0;
            while (self.going())
                ++rounds;
            self.finish(rounds);
        });
        const Crew::Outcome outcome = crew.run({}, 20ms);
        CHECK(outcome.operations > 0);
        CHECK(outcome.elapsed_ns >= 20'000'000);
    }
}

TEST_CASE("crew: a failure ends the load, whatever the others wait for", "[crew]") {
    for (const bool threaded : kinds) {
        Pipe never = make_pipe();
        Crew crew("test", threaded);
        crew.add_server([in = std::move(never.read)](CrewTask &) { read_or_throw(in); });
        crew.add([](CrewTask &self) { self.start(), self.finish(0); });
        crew.add([](CrewTask &self) {
            self.start();
            throw run_error("no luck");
        });
        CHECK(says(thrown([&] { crew.run({}); }), "load test: no luck"));
    }
}

TEST_CASE("crew: a server that nothing is asked of ends with the crew", "[crew]") {
    for (const bool threaded : kinds) {
        Pipe never = make_pipe();
        Crew crew("test", threaded);
        crew.add_server([in = std::move(never.read)](CrewTask &) { read_or_throw(in); });
        crew.add([](CrewTask &self) { self.start(), self.finish(1); });
        CHECK(crew.run({}).operations == 1);
    }
}

TEST_CASE("crew: a killed task is missed", "[crew]") {
    Crew crew("test", false);
    crew.add([](CrewTask &self) {
        self.start();
        ::raise(SIGKILL);
    });
    CHECK(says(thrown([&] { crew.run({}); }), "load test: a task was killed by signal 9"));
}

TEST_CASE("crew: what a task owns is closed here, and there when it ends", "[crew]") {
    for (const bool threaded : kinds) {
        Pipe pipe = make_pipe();
        Crew crew("test", threaded);
        crew.add([out = std::move(pipe.write)](CrewTask &self) {
            self.start();
            self.finish(std::uint64_t(::write(out.get(), "x", 1)));
        });
        CHECK(crew.run({}).operations == 1);
        char bytes[2];
        CHECK(::read(pipe.read.get(), bytes, 2) == 1);
        CHECK(::read(pipe.read.get(), bytes, 2) == 0);
    }
}

TEST_CASE("instances: operations and rates add up, times do not", "[load]") {
    const Load &pipe = find_load("pipe");
    const std::vector<std::string> args = {"--loops", "40", "--instances", "3"};
    std::string calls;
    LoadHooks hooks;
    hooks.begin = [&] { calls += "begin "; };
    hooks.end = [&] { calls += "end"; };
    const LoadResult result = run_load(pipe, parse_options(pipe.options, args, "load pipe"), 1, hooks);
    CHECK(calls == "begin end");
    CHECK(result.operations == 120);
    const double rate = result.metrics.at(0).value, usec = result.metrics.at(1).value;
    CHECK(rate * usec > 2.99e6); // 1e6 for one; for three at least 3e6, however unlike they run
}

TEST_CASE("on: a load is confined as a whole, and its caller is not", "[load]") {
    const Load &pipe = find_load("pipe");
    const auto options = [&](const std::vector<std::string> &args) {
        return parse_options(pipe.options, args, "load pipe");
    };
    cpu_set_t before, during, after;
    REQUIRE(sched_getaffinity(0, sizeof(before), &before) == 0);
    int first = 0, last = CPU_SETSIZE - 1;
    while (!CPU_ISSET(first, &before))
        ++first;
    while (!CPU_ISSET(last, &before))
        --last;
    LoadHooks hooks;
    hooks.begin = [&] { sched_getaffinity(0, sizeof(during), &during); };
    run_load(pipe, options({"--loops", "5", "--on", std::to_string(first)}), 1, hooks);
    CHECK(CPU_COUNT(&during) == 1);
    CHECK(CPU_ISSET(first, &during));
    REQUIRE(sched_getaffinity(0, sizeof(after), &after) == 0);
    CHECK(CPU_EQUAL(&before, &after));

    const Error nowhere = thrown([&] { check_load(pipe, options({"--on", "node:999"})); });
    CHECK(says(nowhere, "--on node:999: no node:999 here"));
    if (first != last) {
        const Error error = thrown([&] {
            check_load(pipe, options({"--on", std::to_string(first), "--cpu-b", std::to_string(last)}));
        });
        CHECK(says(error, "--cpu-b"));
    }
}
