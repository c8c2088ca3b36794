// SPDX-License-Identifier: GPL-2.0-or-later
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include "faulty_model.h"

using namespace schedlab;
using Catch::Matchers::ContainsSubstring;

namespace {

const std::string model = R"(
summary = "2 little + 2 big"
arch = "arm64"
cpus = 4
memory = 256
qemu = ["-M virt", "-cpu cortex-a57", "-smp 4"]

[timing]
speed = { "0-1" = 462, "2-3" = 1024 }
memory = 60.5

[[timing.level]]
name = "core"
cpus = ["0-3/1"]
cache = 32
line = 0
interrupt = 100

[[timing.level]]
name = "cluster"
cpus = ["0-1", "2-3"]
cache = 1024
line = 6.5
interrupt = 200

[[timing.level]]
name = "machine"
cpus = ["0-3"]
line = 24
interrupt = 300
)";

Timing timing_of(const std::string &text) { return *parse_machine(text, "m", "m.conf").timing; }

std::string complaint(const std::string &from, const std::string &to) {
    return test::complaint(test::replaced(model, from, to));
}

} // namespace

TEST_CASE("timing is written as the emulator reads it", "[timing]") {
    CHECK(timing_file(timing_of(model)) == "level core line 0 interrupt 100 cache 32768\n"
                                           "level cluster line 6.5 interrupt 200 cache 1048576\n"
                                           "level machine line 24 interrupt 300\n"
                                           "memory 60.5\n"
                                           "cpu 0 speed 462 in 0 0 0\n"
                                           "cpu 1 speed 462 in 1 0 0\n"
                                           "cpu 2 speed 1024 in 2 1 0\n"
                                           "cpu 3 speed 1024 in 3 1 0\n");
}

TEST_CASE("the quantum is 200 ns unless the model says otherwise", "[timing]") {
    CHECK(timing_of(model).quantum_ns == 200);
    CHECK(timing_of(test::replaced(model, "memory = 60.5", "memory = 60.5\nquantum = 100")).quantum_ns == 100);
}

TEST_CASE("two CPUs are as far apart as the nearest level that holds both", "[timing]") {
    const Timing timing = timing_of(model);
    CHECK(level_between(timing, 1, 1).name == "core");
    CHECK(level_between(timing, 1, 0).name == "cluster");
    CHECK(level_between(timing, 1, 2).name == "machine");
    CHECK(distances_in_short(timing) == CpuSet{0, 1, 2});
}

TEST_CASE("a faulty timing section is refused by key", "[timing]") {
    CHECK_THAT(complaint(R"("0-1" = 462, )", ""), ContainsSubstring("'timing.speed' says nothing of CPU 0"));
    CHECK_THAT(complaint("memory = 60.5", ""), ContainsSubstring("'timing.memory' is missing"));
    CHECK_THAT(complaint("memory = 60.5", "memory = -1"), ContainsSubstring("'timing.memory' is -1"));
    CHECK_THAT(complaint("line = 24", "line = \"far\""), ContainsSubstring("'timing.level.line' is not a number"));
    CHECK_THAT(complaint("line = 24", "lines = 24"), ContainsSubstring("'timing.level.line' is missing"));
    CHECK_THAT(complaint("cache = 32\n", ""), ContainsSubstring("has no cache in the first place"));
    CHECK_THAT(complaint(R"(["0-1", "2-3"])", R"(["0-1"])"), ContainsSubstring("holds 2 CPUs of 4"));
    CHECK_THAT(complaint(R"(cpus = ["0-3"])", R"(cpus = ["0-1", "2-3"])"), ContainsSubstring("ends before one group"));
    CHECK_THAT(complaint(R"(cpus = ["0-3/1"])", R"(cpus = ["0", "1-2", "3"])"), ContainsSubstring("tears 1-2 of 'core' apart"));
    CHECK_THAT(complaint("line = 24", "line = 24\ncache = 1"), ContainsSubstring("only the first two levels"));
    CHECK_THAT(complaint("name = \"core\"", "name = \"a core\""), ContainsSubstring("is not one word"));
}
