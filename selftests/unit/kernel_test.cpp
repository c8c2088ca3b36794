// SPDX-License-Identifier: GPL-2.0-or-later
// Bases, configuration, keys and build logs: what kernels are made from, and what they say.
#include <filesystem>

#include "kernel/base.h"
#include "kernel/build_log.h"
#include "kernel/config.h"
#include "kernel/image_key.h"
#include "sys/files.h"
#include "thrown.h"

using namespace schedlab;
using test::says;
using test::thrown;

namespace {

const KernelVersion v6_1{6, 1, "6.1.192"}, v6_12{6, 12, "6.12.117"}, v7_3{7, 3, "7.3.4"};

ConfigOptions parse(const std::string &text, const std::string &arch = "arm64",
                    const KernelVersion &version = v6_12) {
    return parse_fragment(text, "f", arch, version);
}

} // namespace

TEST_CASE("bases: a table with comments") {
    const auto bases = parse_bases(
        "# kernels\n\n6.1  linux-source-6.1  bookworm  6.1.  # old\n7.3 linux-source-7.3 trixie-backports 7.3.\n",
        "bases");
    REQUIRE(bases.size() == 2);
    CHECK(bases[0].name == "6.1");
    CHECK(bases[0].package == "linux-source-6.1");
    CHECK(bases[1].release == "trixie-backports");
    CHECK(bases[1].version_prefix == "7.3.");
    CHECK(says(thrown([] { parse_bases("6.1 linux-source-6.1 bookworm\n", "bases"); }),
               "bases: line 1: not 'name package release version'"));
    CHECK(says(thrown([] { parse_bases("6.1 a b c d\n", "bases"); }), "bases: line 1"));
    CHECK(says(thrown([] { parse_bases("6.1 a b c\n6.1 a b c\n", "bases"); }), "line 2: base 6.1 is there twice"));
    CHECK(says(thrown([] { parse_bases("#\n", "bases"); }), "bases names no base"));
}

TEST_CASE("bases: what --a and --b take") {
    CHECK(parse_kernel_spec("6.12", {}, "arm64").base == "6.12");
    CHECK_FALSE(parse_kernel_spec("6.12", {}, "arm64").with_series);
    CHECK(parse_kernel_spec("6.12+series", {}, "arm64").with_series);
    const KernelSpec rev = parse_kernel_spec("HEAD~1", "/some/tree", "x86_64");
    CHECK(rev.rev == "HEAD~1");
    CHECK(rev.tree == "/some/tree");
    CHECK(rev.base.empty());
    const Error unknown = thrown([] { parse_kernel_spec("6.99", {}, "arm64"); });
    CHECK(says(unknown, "unknown base '6.99'"));
    CHECK(unknown.remedy().find("6.12") != std::string::npos);
    CHECK(says(thrown([] { parse_kernel_spec("no/such/Image", {}, "arm64"); }),
               "no kernel image at 'no/such/Image'"));
}

TEST_CASE("kernel version: from the top Makefile") {
    const KernelVersion version = kernel_version(
        "# SPDX\nVERSION = 6\nPATCHLEVEL = 12\nSUBLEVEL = 117\nEXTRAVERSION = -rc1\nNAME = Baby\n", "t");
    CHECK(version.major == 6);
    CHECK(version.minor == 12);
    CHECK(version.release == "6.12.117-rc1");
    CHECK(says(thrown([] { kernel_version("all:\n\ttrue\n", "/home/me"); }),
               "'/home/me' is no Linux kernel source: its Makefile has no VERSION"));
}

TEST_CASE("fragment: options, conditions, and their end at a blank line") {
    const std::string text = "# why\nCONFIG_SMP=y\nCONFIG_NR_CPUS=128\n# CONFIG_VT is not set\nCONFIG_TTY=n\n\n"
                             "#@ x86_64\nCONFIG_ACPI=y\n\n#@ until 6.14\nCONFIG_SCHED_DEBUG=y\n\n#@ arm64 since "
                             "7.0\nCONFIG_NEW=y\n\nCONFIG_LAST=y\n";
    const ConfigOptions arm = parse(text);
    CHECK(arm == ConfigOptions{{"CONFIG_SMP", "y"},
                               {"CONFIG_NR_CPUS", "128"},
                               {"CONFIG_VT", "n"},
                               {"CONFIG_TTY", "n"},
                               {"CONFIG_SCHED_DEBUG", "y"},
                               {"CONFIG_LAST", "y"}});
    CHECK(parse(text, "x86_64").contains("CONFIG_ACPI"));
    CHECK_FALSE(parse(text, "arm64", v7_3).contains("CONFIG_SCHED_DEBUG"));
    CHECK(parse(text, "arm64", v7_3).contains("CONFIG_NEW"));
    CHECK_FALSE(parse(text, "x86_64", v7_3).contains("CONFIG_NEW"));
    CHECK(parse("#@ until 6.12\nCONFIG_A=y\n").contains("CONFIG_A")); // inclusive
    CHECK(parse("#@ since 6.12\nCONFIG_A=y\n").contains("CONFIG_A"));
    CHECK_FALSE(parse("#@ since 6.2\nCONFIG_A=y\n", "arm64", v6_1).contains("CONFIG_A")); // 6.12 is later than 6.2
    CHECK(parse("CONFIG_CMDLINE=\"a b\"\n").at("CONFIG_CMDLINE") == "\"a b\"");
    CHECK(parse("CONFIG_A=y\r\n").at("CONFIG_A") == "y");
    CHECK(says(thrown([] { parse("SMP=y\n"); }), "f: line 1: not a configuration option: SMP=y"));
    CHECK(says(thrown([] { parse("\n#@ riscv\n"); }), "f: line 2: not a condition: 'riscv'"));
    CHECK(says(thrown([] { parse("#@ since 6\n"); }), "not a condition: 'since'"));
    // A wrong line is wrong also where it is not meant.
    CHECK(says(thrown([] { parse("#@ x86_64\nCONFIG A=y\n"); }), "f: line 2"));
}

TEST_CASE("fragment: the project's own is meant for all bases and architectures") {
    for (const KernelVersion &version : {v6_1, v6_12, v7_3})
        for (const char *arch : {"arm64", "x86_64"}) {
            const ConfigOptions wanted = wanted_options({}, arch, version);
            for (const char *needed : {"CONFIG_SMP", "CONFIG_SCHED_CLUSTER", "CONFIG_DEBUG_INFO_BTF",
                                       "CONFIG_BPF_EVENTS", "CONFIG_UCLAMP_TASK", "CONFIG_DEVTMPFS"})
                CHECK(wanted.at(needed) == "y");
        }
    CHECK(wanted_options({}, "arm64", v6_1).contains("CONFIG_MODULES"));
    CHECK_FALSE(wanted_options({}, "arm64", v6_12).contains("CONFIG_MODULES"));
}

TEST_CASE("fragment: the user's files win, in order") {
    const TempDir dir("config-test");
    write_file_atomically(dir.path() / "1", "CONFIG_SCHED_CORE=y\nCONFIG_NR_CPUS=256\n");
    write_file_atomically(dir.path() / "2", "CONFIG_NR_CPUS=512\n# CONFIG_SMP is not set\n");
    const ConfigOptions wanted = wanted_options({dir.path() / "1", dir.path() / "2"}, "arm64", v6_12);
    CHECK(wanted.at("CONFIG_SCHED_CORE") == "y");
    CHECK(wanted.at("CONFIG_NR_CPUS") == "512");
    CHECK(wanted.at("CONFIG_SMP") == "n");
    CHECK(says(thrown([&] { wanted_options({dir.path() / "3"}, "arm64", v6_12); }), "no configuration file"));
}

TEST_CASE("fragment: what a finished configuration lost") {
    const std::string config = "CONFIG_SMP=y\nCONFIG_NR_CPUS=64\n# CONFIG_BPF_EVENTS is not set\nCONFIG_VT=y\n";
    const ConfigOptions wanted{{"CONFIG_SMP", "y"}, {"CONFIG_NR_CPUS", "128"}, {"CONFIG_BPF_EVENTS", "y"},
                               {"CONFIG_VT", "n"},  {"CONFIG_ABSENT", "n"},    {"CONFIG_MISSING", "y"}};
    CHECK(lost_options(wanted, config) ==
          ConfigOptions{
              {"CONFIG_NR_CPUS", "128"}, {"CONFIG_BPF_EVENTS", "y"}, {"CONFIG_VT", "n"}, {"CONFIG_MISSING", "y"}});
    CHECK(lost_options({}, config).empty());
    CHECK(config_text({{"CONFIG_A", "y"}, {"CONFIG_B", "n"}}) == "CONFIG_A=y\n# CONFIG_B is not set\n");
}

TEST_CASE("image key: every ingredient counts, their order and wording do not") {
    const std::map<std::string, FileChange> changes{{"f.c", {"new", {}}}, {"g.c", {std::nullopt, {}}}};
    const ConfigOptions wanted{{"CONFIG_A", "y"}};
    const std::string key = image_key("s", changes, wanted, "arm64", "gcc 12");
    CHECK(key.size() == 64);
    CHECK(key == image_key("s", {{"g.c", {std::nullopt, {}}}, {"f.c", {"new", {}}}}, wanted, "arm64", "gcc 12"));
    const auto differs = [&](const std::string &other) { CHECK(other != key); };
    differs(image_key("s2", changes, wanted, "arm64", "gcc 12"));
    differs(image_key("s", {}, wanted, "arm64", "gcc 12"));
    differs(image_key("s", {{"f.c", {"newer", {}}}, {"g.c", {std::nullopt, {}}}}, wanted, "arm64", "gcc 12"));
    differs(image_key("s", {{"f.c", {"new", 0755}}, {"g.c", {std::nullopt, {}}}}, wanted, "arm64", "gcc 12"));
    differs(image_key("s", {{"f.c", {"new", {}}}, {"g.c", {"", {}}}}, wanted, "arm64", "gcc 12"));
    differs(image_key("s", changes, {{"CONFIG_A", "n"}}, "arm64", "gcc 12"));
    differs(image_key("s", changes, wanted, "x86_64", "gcc 12"));
    differs(image_key("s", changes, wanted, "arm64", "gcc 13"));
}

TEST_CASE("build log: steps") {
    CHECK(count_steps(
              "make: Entering directory '/o'\n  CC      a.o\n  AR      b.a\n  GEN     Makefile\nwarning: x\n") ==
          3);
    CHECK(count_steps("") == 0);
    CHECK(count_steps("  ") == 0);
    CHECK(count_steps("   indented\n") == 0);
}

TEST_CASE("build log: the first error") {
    const std::string gcc =
        "  CC      kernel/sched/fair.o\n/w/src/kernel/sched/fair.c:10:5: warning: unused\n"
        "/w/src/kernel/sched/fair.c:12:9: error: 'x' undeclared\nfair.c:13:1: error: later\n"
        "make[4]: *** [Makefile:229: kernel/sched/fair.o] Error 1\nmake: *** [Makefile:234: __sub-make] Error 2\n";
    CHECK(first_error(gcc) == "/w/src/kernel/sched/fair.c:12:9: error: 'x' undeclared");
    CHECK(first_error("  LD      vmlinux\nld: fair.o: in function `f':\nfair.c:(.text+0x10): undefined reference "
                      "to `g'\nmake: *** x\n") == "fair.c:(.text+0x10): undefined reference to `g'");
    CHECK(first_error(
              "  BTF     vmlinux\nFAILED: load BTF from vmlinux: Invalid argument\nmake: *** [x] Error 255\n") ==
          "FAILED: load BTF from vmlinux: Invalid argument");
    CHECK(first_error("  UPD     x\nmake[1]: *** [Makefile:1: y] Error 2\nmake: *** [z] Error 2\n") ==
          "make[1]: *** [Makefile:1: y] Error 2");
    CHECK(first_error("  CC      a.o\n").empty());
    const Error failure = build_failure(gcc, "building 6.12", "/c/build.log");
    CHECK(failure.code() == Exit::failed);
    CHECK(says(failure, "building 6.12 failed: /w/src/kernel/sched/fair.c:12:9: error: 'x' undeclared"));
    CHECK(failure.remedy().find("/c/build.log") != std::string::npos);
    const Error full =
        build_failure("a.s: Fatal error: can't close a.o: No space left on device\n", "building", "l");
    CHECK(full.code() == Exit::environment);
    CHECK(says(full, "the disk is full"));
}
