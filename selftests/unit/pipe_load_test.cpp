// SPDX-License-Identifier: GPL-2.0-or-later
#include "loads/load.h"

#include <catch2/catch_test_macros.hpp>
#include <sched.h>
#include <sys/resource.h>

#include "thrown.h"

using namespace schedlab;
using test::says;
using test::thrown;
using Json = nlohmann::ordered_json;

namespace {

const Load &pipe() { return find_load("pipe"); }

Json options(const std::vector<std::string> &args) { return parse_options(pipe().options, args, "load pipe"); }

int first_allowed_cpu() {
    cpu_set_t set;
    REQUIRE(sched_getaffinity(0, sizeof(set), &set) == 0);
    int cpu = 0;
    while (!CPU_ISSET(cpu, &set))
        ++cpu;
    return cpu;
}

} // namespace

TEST_CASE("an unknown load is refused with the names there are", "[load]") {
    const Error error = thrown([] { find_load("pip"); });
    CHECK(error.code() == Exit::usage);
    CHECK(says(error, "'pip'"));
    CHECK(error.remedy().find("pipe") != std::string::npos);
}

TEST_CASE("pipe understands perf's letters", "[load]") {
    const Json json = options({"-l", "7", "-T"});
    CHECK(json.at("loops") == 7);
    CHECK(json.at("threaded") == true);
    CHECK(thrown([] { options({"--loops", "0"}); }).code() == Exit::usage);
}

TEST_CASE("pipe refuses CPUs that are not there before it starts", "[load]") {
    const Error error = thrown([] { pipe().check(options({"--cpu-b", "100000"})); });
    CHECK(error.code() == Exit::usage);
    CHECK(says(error, "--cpu-b"));
    CHECK(says(error, "100000"));
}

TEST_CASE("pipe refuses to start without descriptors", "[load]") {
    rlimit old{};
    REQUIRE(getrlimit(RLIMIT_NOFILE, &old) == 0);
    const rlimit none{3, old.rlim_max};
    REQUIRE(setrlimit(RLIMIT_NOFILE, &none) == 0);
    const Error error = thrown([] { pipe().check(options({})); });
    REQUIRE(setrlimit(RLIMIT_NOFILE, &old) == 0);
    CHECK(error.code() == Exit::environment);
}

TEST_CASE("pipe calls the hooks once, in order, and gives its CPUs back", "[load]") {
    const std::string cpu = std::to_string(first_allowed_cpu());
    cpu_set_t before, after;
    REQUIRE(sched_getaffinity(0, sizeof(before), &before) == 0);
    for (const bool threaded : {false, true}) {
        Json json = options({"--loops", "50", "--warmup", "3", "--cpu-a", cpu, "--cpu-b", cpu});
        json["threaded"] = threaded;
        std::string calls;
        LoadHooks hooks;
        hooks.begin = [&] { calls += "begin "; };
        hooks.end = [&] { calls += "end"; };
        const LoadResult result = pipe().run(json, 1, hooks);
        CHECK(calls == "begin end");
        CHECK(result.operations == 50);
        CHECK(result.elapsed_ns > 0);
        CHECK(result.metrics.at(0).name == "ops_per_sec");
        CHECK(result.metrics.at(1).name == "usec_per_op");
    }
    REQUIRE(sched_getaffinity(0, sizeof(after), &after) == 0);
    CHECK(CPU_EQUAL(&before, &after));
}
