// SPDX-License-Identifier: GPL-2.0-or-later
// Traces in text: lines of several tools, and a live run's events put into text, which must give the rows that BPF counted.
#include "import/trace.h"

#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <fmt/format.h>
#include <fstream>
#include <sstream>

#include "core/error.h"
#include "import/trace_line.h"
#include "source_dir.h"
#include "sys/files.h"
#include "thrown.h"

using namespace schedlab;
using schedlab::test::thrown;
using Catch::Matchers::ContainsSubstring;
using Kind = TraceEvent::Kind;

namespace {

TraceEvent event_of(std::string_view line) {
    TraceEvent event;
    INFO(line);
    REQUIRE(parse_trace_line(line, event) == TraceLine::event);
    return event;
}

// Four CPUs, two clusters, one LLC.
const Topology small{{{0, 0, 0, 0, 0, 1024}, {1, 1, 0, 0, 0, 1024}, {2, 2, 2, 0, 0, 1024}, {3, 3, 2, 0, 0, 1024}}};

Imported read(const std::string &text, const std::set<std::string, std::less<>> &commands = {}) {
    std::istringstream in(text);
    return import_trace(in, "trace", small, commands);
}

double row(const Imported &trace, const std::string &metric) {
    INFO(metric);
    const Metric *found = trace.results.at(0).record.find(metric);
    REQUIRE(found);
    return found->value;
}

// A line of --events → one of ftrace; tasks that were counted are called "load" then.
std::string as_text(const std::string &line) {
    std::istringstream words(line);
    std::string time, kind, task, word, flags;
    int pid = 0, on = 0, from = 0, to = 0;
    words >> time >> kind >> task >> pid >> word >> on >> word >> from >> word >> to >> word >> flags;
    const bool counted = flags.find('c') != flags.npos && flags.find('s') != flags.npos;
    const std::string comm = counted ? "load" : "a ==> [003] b";
    const std::uint64_t ns = std::stoull(time);
    const std::string head = fmt::format("  <...>-1  [{:03}] d.h1. {}.{:09}: ", on, ns / 1'000'000'000, ns % 1'000'000'000);
    if (kind == "switch")
        return head + fmt::format("sched_switch: prev_comm=x prev_pid=1 prev_prio=120 prev_state=S ==> next_comm={} next_pid={} next_prio=120\n",
                                  comm, pid);
    if (kind == "migrate")
        return head + fmt::format("sched_migrate_task: comm={} pid={} prio=120 orig_cpu={} dest_cpu={}\n", comm, pid, from, to);
    const std::string name = kind == "fork" ? "sched_wakeup_new" : "sched_" + kind;
    return kind == "hotplug" ? "" : head + fmt::format("{}: comm={} pid={} prio=120 target_cpu={:03}\n", name, comm, pid, from);
}

} // namespace

TEST_CASE("lines of ftrace, trace-cmd and perf script", "[import][trace]") {
    TraceEvent e = event_of("            bash-1234    ( 1234) [003] d.h1.   123.456789: sched_waking: comm=make pid=77 prio=120 target_cpu=009");
    CHECK(e.kind == Kind::waking);
    CHECK(e.on == 3);
    CHECK(e.pid == 77);
    CHECK(e.cpu == 9);
    CHECK(e.comm == "make");
    CHECK(e.time_ns == 123'456'789'000);
    e = event_of("a [001] b-5 [000] dNh4... 1.5: sched_wakeup: comm=x pid=1 [2] pid=77 prio=120 success=1 target_cpu=002");
    CHECK(e.comm == "x pid=1 [2]");
    CHECK(e.pid == 77);
    CHECK(e.cpu == 2);
    e = event_of("make    77 [001]  123.456789:       sched:sched_migrate_task: comm=make pid=77 prio=120 orig_cpu=1 dest_cpu=3");
    CHECK(e.kind == Kind::migrate);
    CHECK(e.cpu == 1);
    CHECK(e.to == 3);
    e = event_of("make    77 [001]  123.456789:       sched:sched_switch: make:77 [120] S ==> ba:sh:1234 [120]");
    CHECK(e.kind == Kind::run);
    CHECK(e.pid == 1234);
    CHECK(e.comm == "ba:sh");
    e = event_of("make    77 [001]  123.456789:       sched:sched_wakeup: bash:1234 [120] CPU:002");
    CHECK(e.pid == 1234);
    CHECK(e.cpu == 2);
    e = event_of("  <idle>-0 [000] 99: sched_wakeup_new: comm=child pid=80 prio=120 target_cpu=001"); // a counter clock, no flags
    CHECK(e.kind == Kind::wakeup_new);
    CHECK(e.time_ns == 99);

    for (const char *comm : {"a b", "x=1 ", "kworker/0:1", "#1", "a] [3] 5.5: b", "pid=5 prio=1", "\t", ""}) { // as prctl() takes them
        const std::string name = comm, head = "  " + name + "-77  (-----) [003] d..2. 123.456789: ";
        e = event_of(head + "sched_waking: comm=" + name + " pid=77 prio=120 target_cpu=001");
        CHECK(e.comm == name);
        CHECK(e.pid == 77);
        CHECK(e.on == 3);
        e = event_of("<idle>-0     [003] d..2. 123.456789: sched_switch: prev_comm=" + name + " prev_pid=9 prev_prio=120 prev_state=D|W ==> next_comm=" + name +
                     " next_pid=77 next_prio=120");
        CHECK(e.comm == name);
        CHECK(e.pid == 77);
    }
    e = event_of("  :-1    -1     [000] d...... 7.123456789: sched_waking: comm=x pid=1 prio=120 target_cpu=001"); // a head that lies
    CHECK(e.time_ns == 7'123'456'789);
    CHECK(e.pid == 1);

    for (const char *other : {"# tracer: nop", "", "x-1 [000] d... 1.0: sched_stat_runtime: comm=x pid=1 runtime=5 [ns]",
                              "x-1 [000] d... 1.0: sched_wakeup: comm=x pid=1 prio=120 success=0 target_cpu=001",
                              "x-1 [000] d... 1.0: sched_wakeup: x:1 [120] success=0 CPU:001",
                              "x-1 [000] d... 1.0: sched_process_fork: comm=x pid=1 child_comm=x child_pid=2",
                              "x-1 [000] d... 1.0: probe:sched_waking: (ffffffff810) pid=1",
                              "some sched_waking: text"}) {
        INFO(other);
        CHECK(parse_trace_line(other, e) == TraceLine::other);
    }
    CHECK(parse_trace_line("x-1 [000] d... 1.0: sched_waking: comm=x pid=", e) == TraceLine::broken);
    CHECK(lost_events("CPU:2 [LOST 17 EVENTS]") == 17);
    CHECK(lost_events("CPU:2 [LOST EVENTS]") == 1); // how many is not known
    CHECK(lost_events("CPU:2 [12 EVENTS DROPPED]") == 12);
    CHECK(lost_events("CPU:2 [EVENTS DROPPED]") == 1);
    CHECK_FALSE(lost_events("x-1 [000] d... 1.0: print: CPU:2 [LOST 17 EVENTS]"));
    CHECK_FALSE(lost_events("CPU:2 [003]"));
}

TEST_CASE("a short trace: wakeups, migrations, stacking, and whose they are", "[import][trace]") {
    const auto head = [](int cpu, int us) { return fmt::format("  <...>-1 [{:03}] d.h1. 1.{:06}: ", cpu, us); };
    const std::string text =
        "# tracer: nop\n#\n" + head(0, 1) + "sched_waking: comm=a pid=10 prio=120 target_cpu=002\n" + //
        head(0, 2) + "sched_migrate_task: comm=a pid=10 prio=120 orig_cpu=2 dest_cpu=1\n" +          // left its cluster
        head(1, 3) + "sched_wakeup: comm=a pid=10 prio=120 target_cpu=001\n" +                       //
        head(0, 4) + "sched_waking: comm=b pid=11 prio=120 target_cpu=001\n" +                       //
        head(1, 5) + "sched_wakeup: comm=b pid=11 prio=120 target_cpu=001\n" +                       // where a waits: stacked
        head(1, 6) + "sched_switch: prev_comm=swapper/1 prev_pid=0 prev_prio=120 prev_state=R ==> next_comm=a next_pid=10 next_prio=120\n" +
        head(0, 7) + "sched_waking: comm=a pid=10 prio=120 target_cpu=001\n" + head(0, 8) +
        "sched_wakeup: comm=a pid=10 prio=120 target_cpu=001\n" + // it runs: waits for nothing
        head(3, 9) + "sched_migrate_task: comm=b pid=11 prio=120 orig_cpu=1 dest_cpu=3\n" + // pulled
        head(3, 10) + "sched_wakeup_new: comm=c pid=12 prio=120 target_cpu=000\n";
    const Imported all = read(text);
    CHECK(row(all, "wakeups") == 3);
    CHECK(row(all, "wake.prev.same") == 2);
    CHECK(row(all, "wake.prev.llc") == 1);
    CHECK(row(all, "wake.waker.cluster") == 3);
    CHECK(row(all, "stacked") == 1);
    CHECK(row(all, "migrations") == 2);
    CHECK(row(all, "migrations.wakeup") == 1);
    CHECK(row(all, "forks") == 1);
    CHECK(row(all, "migrations.fork") == 1);
    CHECK_FALSE(all.results[0].record.find("missed.prev"));
    CHECK_FALSE(all.results[0].record.find("migrations.balance"));
    const Imported one = read(text, {"a"});
    CHECK(row(one, "wakeups") == 2);
    CHECK(row(one, "migrations") == 1);
    CHECK(row(one, "stacked") == 0);
}

TEST_CASE("what a trace lost is a loss, what it lacks is said", "[import][trace]") {
    const std::string line = "  <...>-1 [000] d.h1. 5.0: sched_migrate_task: comm=a pid=10 prio=120 orig_cpu=2 dest_cpu=1\n";
    const Imported trace = read("# entries-in-buffer/entries-written: 100/500   #P:4\nCPU:2 [LOST 17 EVENTS]\n" + line +
                                "  <...>-1 [000] d.h1. 4.0: sched_migrate_task: comm=a pid=10 prio=120 orig_cpu=7 dest_cpu=1\n"
                                "  <...>-1 [000] d.h1. 6.0: sched_migrate_task: comm=a\n");
    const Record &record = trace.results.at(0).record;
    REQUIRE(record.losses.size() == 3);
    CHECK(record.losses[0].count == 17);
    CHECK(record.losses[1].source == "trace.unknown_cpu");
    CHECK(record.losses[2].count == 400);
    CHECK_FALSE(record.comparable());
    CHECK_FALSE(record.find("wakeups"));
    CHECK(record.find("migrations"));
    REQUIRE(record.warnings.size() == 2);
    CHECK_THAT(record.warnings[0], ContainsSubstring("backwards 1 times"));
    CHECK_THAT(record.warnings[1], ContainsSubstring("no sched_waking"));
    CHECK(trace.skipped.at(0).line == 5);
    CHECK_THAT(thrown([] { read("# tracer: nop\n"); }).what(), ContainsSubstring("without a scheduler event"));
}

TEST_CASE("where time runs backwards on a CPU, events are sorted by it", "[import][trace]") {
    const auto line = [](int us, const std::string &event) { return fmt::format("  <...>-1 [000] d.h1. 5.{:06}: {}\n", us, event); };
    const std::string waking = line(1, "sched_waking: comm=a pid=10 prio=120 target_cpu=001");
    const std::string moved = line(2, "sched_migrate_task: comm=a pid=10 prio=120 orig_cpu=1 dest_cpu=2");
    const std::string woken = line(3, "sched_wakeup: comm=a pid=10 prio=120 target_cpu=002");
    const Imported sorted = read(woken + waking + moved);
    CHECK(row(sorted, "migrations.wakeup") == 1);
    CHECK_THAT(sorted.results[0].record.warnings.at(0), ContainsSubstring("backwards 1 times: events are taken in the order of their times"));
    CHECK(row(read(waking + moved + woken), "migrations.wakeup") == 1);
    // Much of the text between: what stands later than the window is not found again.
    std::string between;
    for (int i = 0; i < 70'000; ++i)
        between += line(4 + i, "sched_switch: prev_comm=x prev_pid=1 prev_prio=120 prev_state=S ==> next_comm=y next_pid=2 next_prio=120");
    CHECK(row(read(waking + between.substr(0, between.size() / 2) + moved + woken), "migrations.wakeup") == 1);
    CHECK(row(read(moved + between + waking), "migrations.wakeup") == 0);
}

TEST_CASE("an event that two sources tell is taken once", "[import][trace]") {
    const std::string woken = "  <...>-1 [000] d.h1. 5.000001: sched_waking: comm=a pid=10 prio=120 target_cpu=001\n";
    const std::string later = "  <...>-1 [000] d.h1. 5.000009: sched_waking: comm=a pid=10 prio=120 target_cpu=001\n";
    const Imported trace = read(woken + woken + later);
    CHECK(row(trace, "wakeups") == 2);
    CHECK_THAT(trace.results[0].record.warnings.at(0), ContainsSubstring("1 events come twice"));
}

TEST_CASE("a live run's events as text give the rows that BPF counted", "[import][trace][oracle]") {
    const std::filesystem::path events = SCHEDLAB_SOURCE_DIR "/selftests/data/placement_asym.events";
    std::ifstream lines(events);
    const Topology topology = read_topology_lines(lines, events.string());
    CHECK(topology.asymmetric());
    std::string text;
    std::istringstream all(read_file(events));
    for (std::string line; std::getline(all, line);)
        if (!line.starts_with("cpu "))
            text += as_text(line);
    std::istringstream in(text);
    const Imported trace = import_trace(in, "text", topology, {"load"});
    CHECK(trace.skipped.empty());
    CHECK(row(trace, "wakeups") > 0);
    const Record live = nlohmann::ordered_json::parse(read_file(std::filesystem::path(events).replace_extension(".json")));
    for (const Metric &row : trace.results.at(0).record.metrics) {
        INFO(row.name);
        const Metric *counted = live.find(row.name);
        REQUIRE(counted);
        CHECK(row.value == Catch::Approx(counted->value).epsilon(1e-12).margin(0));
    }
}

TEST_CASE("a topology that is none is refused", "[import][trace]") {
    std::istringstream wrong("cpu 0 core 0 cluster x\n"), none("hello\n");
    CHECK_THAT(thrown([&] { read_topology_lines(wrong, "file"); }).what(), ContainsSubstring("file:1"));
    CHECK_THAT(thrown([&] { read_topology_lines(none, "file"); }).remedy(), ContainsSubstring("--events"));
}
