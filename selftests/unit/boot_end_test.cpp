// SPDX-License-Identifier: GPL-2.0-or-later
// How a boot ended, told from what its console and its channel said.
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include "boot/transcript.h"

using namespace schedlab;
using Catch::Matchers::ContainsSubstring;

namespace {

const std::string hello = R"({"type":"hello","version":"0.1.0","release":"6.12.117"})" "\n";
const std::string record =
    R"({"type":"record","record":{"load":"pipe","options":{"loops":3},"seed":7,"emulated":true,"metrics":[],"losses":[],"warnings":[]}})" "\n";
const std::string end = R"({"type":"end","status":0})" "\n";

BootEvidence evidence(const std::string &channel, std::vector<std::string> console = {}) {
    BootEvidence e;
    e.said.feed(channel);
    e.console = std::move(console);
    e.emulator = 0;
    return e;
}

BootEnd end_of(const BootEvidence &e) { return classify(e).end; }

} // namespace

TEST_CASE("a guest that ends well is done", "[boot]") {
    const BootEvidence e = evidence(hello + record + end, {"[    0.000000] Linux version 6.12.117", "[    1.0] reboot: Power down"});
    CHECK(end_of(e) == BootEnd::done);
    REQUIRE(e.said.records.size() == 1);
    CHECK(e.said.records[0].seed == 7);
    CHECK(e.said.hello["release"] == "6.12.117");
}

TEST_CASE("the channel may arrive in any pieces", "[boot]") {
    Transcript said;
    for (char c : hello + record + R"({"type":"ktap","line":"ok 1 a"})" "\n" + end)
        said.feed({&c, 1});
    CHECK(said.records.size() == 1);
    CHECK(said.ktap == std::vector<std::string>{"ok 1 a"});
    CHECK(said.end_status == 0);
    CHECK(said.rest.empty());
}

TEST_CASE("a panic is told from what the guest says", "[boot]") {
    const BootEvidence e = evidence(hello + end, {"[    0.5] Kernel panic - not syncing: VFS: Unable to mount root fs"});
    CHECK(end_of(e) == BootEnd::panic);
    CHECK_THAT(classify(e).message, ContainsSubstring("Unable to mount root fs"));
}

TEST_CASE("a guest that runs out of memory is told from what followed", "[boot]") {
    const std::string killed = "[    3.2] Out of memory: Killed process 57 (schedlab-guest) total-vm:40000kB, anon-rss:30000kB";
    const std::string lost = R"({"type":"error","code":1,"message":"load mix: a task was killed by signal 9","remedy":""})" "\n";
    const BootEvidence e = evidence(hello + lost, {"[    3.1] schedlab-guest invoked oom-killer: gfp_mask=0x0", killed});
    CHECK(end_of(e) == BootEnd::out_of_memory);
    CHECK(classify(e).message == "the guest ran out of memory: Out of memory: Killed process 57 (schedlab-guest)");
    CHECK(classify(e).console_at == 1);
    CHECK(end_of(evidence(hello, {killed, "[    3.3] Kernel panic - not syncing: System is deadlocked on memory"})) ==
          BootEnd::out_of_memory);
    CHECK(end_of(evidence(hello + record + end, {killed})) == BootEnd::out_of_memory); // some task of it is missing
    CHECK(end_of(evidence(hello + lost)) == BootEnd::guest_error);
}

TEST_CASE("a guest program that dies as init is no kernel's panic, unless an oops killed it", "[boot]") {
    const std::string died = "[    1.1][    T1] Kernel panic - not syncing: Attempted to kill init! exitcode=0x0000000b";
    CHECK(end_of(evidence(hello, {died})) == BootEnd::guest_exit);
    CHECK(end_of(evidence(hello, {"[    1.0] Unable to handle kernel NULL pointer dereference at virtual address 0", died})) ==
          BootEnd::panic);
}

TEST_CASE("reports of the kernel outweigh a job that ended", "[boot]") {
    for (const char *line : {
             "[    1.0] WARNING: CPU: 3 PID: 9 at kernel/sched/fair.c:1234 select_idle_sibling+0x10/0x20",
             "[    1.0] WARNING: possible circular locking dependency detected",
             "[    1.0] BUG: sleeping function called from invalid context at kernel/locking/mutex.c:1",
             "[    1.0] BUG: KCSAN: data-race in update_curr / task_tick_fair",
             "[    1.0] BUG: KASAN: slab-out-of-bounds in foo",
             "[    1.0] kernel BUG at kernel/sched/core.c:1!",
             "[    1.0] UBSAN: shift-out-of-bounds in kernel/sched/fair.c:1:2",
             "[    1.0] watchdog: BUG: soft lockup - CPU#0 stuck for 22s! [swapper/0:1]",
             "[    1.0] rcu: INFO: rcu_sched self-detected stall on CPU",
             "[    1.0] rcu: INFO: rcu_preempt detected stalls on CPUs/tasks:",
             "[    1.0] INFO: task kworker/0:1:7 blocked for more than 122 seconds.",
             "[    1.0] ERROR: groups don't span domain->span",
             "[    1.0][   T12] Internal error: Oops - BUG: 00000000f2000800 [#1] SMP",
         }) {
        INFO(line);
        const BootEvidence e = evidence(hello + record + end, {"[    0.0] Booting", line, "[    1.1] more"});
        CHECK(end_of(e) == BootEnd::warning);
        CHECK(classify(e).console_at == 1);
    }
}

TEST_CASE("ordinary lines are no reports", "[boot]") {
    for (const char *line : {
             "[    0.0] Kernel command line: console=ttyAMA0 panic=-1",
             "[    0.0] rcu: RCU event tracing is enabled.",
             "[    0.0] clocksource: timekeeping watchdog: Marking clocksource as unstable",
             "[    0.0] sched: RT throttling activated",
             "[    0.0] Warning: unable to open an initial console.",
             "tests may say BUG: or WARNING: inside a line",
         }) {
        INFO(line);
        CHECK(end_of(evidence(hello + end, {line})) == BootEnd::done);
    }
}

TEST_CASE("other domains are reported with the differences", "[boot]") {
    BootEvidence e = evidence(hello);
    e.truth = {"cpus 0-3: expected CLS 0-3, MC 0-7, found MC 0-7"};
    CHECK(end_of(e) == BootEnd::untrue);
    CHECK_THAT(classify(e).message, ContainsSubstring("expected CLS 0-3"));
}

TEST_CASE("an error of the guest keeps its code and remedy", "[boot]") {
    const BootEvidence e = evidence(hello + R"({"type":"error","message":"no BTF","remedy":"CONFIG_DEBUG_INFO_BTF=y","code":3})" "\n");
    const BootOutcome outcome = classify(e);
    CHECK(outcome.end == BootEnd::guest_error);
    CHECK(outcome.code == Exit::environment);
    CHECK_THAT(outcome.message, ContainsSubstring("no BTF"));
    CHECK(outcome.remedy == "CONFIG_DEBUG_INFO_BTF=y");
}

TEST_CASE("a line that is no message is an error", "[boot]") {
    CHECK(end_of(evidence(hello + "garbage\n" + end)) == BootEnd::guest_error);
    CHECK(end_of(evidence(R"({"type":"nonsense"})" "\n" + end)) == BootEnd::guest_error);
    CHECK(end_of(evidence(R"({"type":"record","record":{"load":3}})" "\n" + end)) == BootEnd::guest_error);
}

TEST_CASE("both limits are hangs", "[boot]") {
    const BootEvidence inside = evidence(hello + R"({"type":"timeout","seconds":600})" "\n");
    CHECK(end_of(inside) == BootEnd::hang);
    CHECK_THAT(classify(inside).message, ContainsSubstring("600 s of guest time"));

    BootEvidence outside = evidence("");
    outside.emulator.reset();
    outside.wall_limit = std::chrono::seconds(120);
    CHECK(end_of(outside) == BootEnd::hang);
    CHECK_THAT(classify(outside).message, ContainsSubstring("120 s of wall time"));
    CHECK_THAT(classify(outside).message, ContainsSubstring("never spoke"));
}

TEST_CASE("an end that was said counts, even if the machine then had to be killed", "[boot]") {
    BootEvidence e = evidence(hello + record + end);
    e.emulator.reset();
    CHECK(end_of(e) == BootEnd::done);
}

TEST_CASE("silence, half a line and a failed emulator are told apart", "[boot]") {
    CHECK(end_of(evidence("")) == BootEnd::guest_exit);
    CHECK_THAT(classify(evidence("")).message, ContainsSubstring("before the guest spoke"));
    CHECK(end_of(evidence(hello)) == BootEnd::guest_exit);
    CHECK(end_of(evidence(hello + record.substr(0, 30))) == BootEnd::truncated);

    BootEvidence e = evidence("");
    e.emulator = 1;
    e.emulator_message = "qemu-system-aarch64: unable to find CPU model 'cortex-a999'";
    CHECK(end_of(e) == BootEnd::qemu_failed);
    CHECK(classify(e).code == Exit::environment);
    CHECK_THAT(classify(e).message, ContainsSubstring("cortex-a999"));
    e.emulator = 137;
    CHECK_THAT(classify(e).message, ContainsSubstring("killed by signal 9"));
}
