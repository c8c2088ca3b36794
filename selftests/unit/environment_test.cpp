// SPDX-License-Identifier: GPL-2.0-or-later
#include <catch2/catch_test_macros.hpp>

#include "lab/differences.h"
#include "sys/environment.h"
#include "sys/files.h"

using namespace schedlab;
namespace fs = std::filesystem;

TEST_CASE("an environment is what the system's files say, and nothing for those it lacks", "[environment]") {
    const TempDir dir("environment-test");
    const auto put = [&](const std::string &file, const std::string &text) {
        fs::create_directories((dir.path() / file).parent_path());
        write_file_atomically(dir.path() / file, text + "\n");
    };
    put("proc/cmdline", "quiet isolcpus=3");
    put("proc/sys/kernel/sched_rt_runtime_us", "950000");
    put("proc/sys/kernel/hostname", "secret");
    put("sys/kernel/debug/sched/base_slice_ns", "3000000");
    put("sys/kernel/debug/sched/features", "HRTICK NO_ASYM_PREV");
    put("sys/devices/system/cpu/vulnerabilities/meltdown", "Mitigation: PTI");
    put("sys/devices/system/cpu/cpufreq/policy0/scaling_governor", "performance");
    put("sys/devices/system/cpu/cpufreq/policy4/scaling_governor", "schedutil");
    const auto environment = read_environment(dir.path());
    CHECK(environment.at("command_line") == "quiet isolcpus=3");
    CHECK(environment.at("sysctls").dump() == R"({"sched_rt_runtime_us":"950000","base_slice_ns":"3000000"})");
    CHECK(environment.at("features").at("HRTICK") == true);
    CHECK(environment.at("features").at("ASYM_PREV") == false);
    CHECK(environment.at("mitigations").at("meltdown") == "Mitigation: PTI");
    CHECK(environment.at("governors") == "performance, schedutil");
    CHECK_FALSE(environment.contains("firmware"));
    CHECK_FALSE(environment.contains("lowest_khz"));
    CHECK(environment.contains("release"));
}

TEST_CASE("differences of environments and configurations", "[environment]") {
    const nlohmann::ordered_json a = {{"kernel", "x"}, {"sysctls", {{"sched_a", "1"}, {"sched_b", "2"}}}},
                                 b = {{"kernel", "y"}, {"sysctls", {{"sched_a", "1"}, {"sched_b", "3"}}}, {"smt", "off"}};
    const auto found = environment_differences(a, b);
    REQUIRE(found.size() == 2);
    CHECK(found[0].name == "smt");
    CHECK(found[0].a.empty());
    CHECK(found[1].name == "sysctls.sched_b");
    CHECK(found[1].b == "3");

    const auto options = configuration_differences("CONFIG_SMP=y\n# CONFIG_NUMA is not set\nCONFIG_HZ=250\n",
                                                   "# a comment\nCONFIG_SMP=y\nCONFIG_NUMA=y\nCONFIG_HZ=1000\nCONFIG_NEW=m\n");
    REQUIRE(options.size() == 3);
    CHECK(options[0].name == "CONFIG_HZ");
    CHECK(options[1].name == "CONFIG_NEW");
    CHECK(options[1].a == "n");
    CHECK(options[2].a == "n");
    CHECK(configuration_differences("", "CONFIG_SMP=y\n").empty()); // not known is not different
}
