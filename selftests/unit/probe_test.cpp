// SPDX-License-Identifier: GPL-2.0-or-later
#include "probes/probe.h"

#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>

#include "bpf/probe.h"
#include "probes/placement_events.h"
#include "probes/share_metrics.h"
#include "thrown.h"

using namespace schedlab;
using test::says;
using test::thrown;
using Catch::Approx;

namespace {

double value(const std::vector<Metric> &metrics, const std::string &name) {
    for (const Metric &metric : metrics)
        if (metric.name == name)
            return metric.value;
    FAIL("no " << name);
    return 0;
}

constexpr unsigned long long running = 1ULL << probe_watch_shift;

} // namespace

TEST_CASE("probes are listed by name, with their views", "[probe]") {
    CHECK(parse_probes("none").empty());
    CHECK(parse_probes("placement:tasks:events,latency") ==
          std::vector<std::string>{"placement:tasks:events", "latency"});
    CHECK(says(thrown([] { parse_probes("placement,lag"); }), "'lag'"));
    CHECK(thrown([] { parse_probes("lag"); }).remedy().find("latency") != std::string::npos);
    CHECK(says(thrown([] { parse_probes("latency:tasks"); }), "'tasks'"));
    CHECK(says(thrown([] { parse_probes("share,share:tasks"); }), "twice"));
    CHECK(thrown([] { parse_probes(""); }).code() == Exit::usage);
}

TEST_CASE("a watch shows how long it ran, however its starts and stops were ordered", "[probe]") {
    const auto start = [](unsigned long long time) { return running - time; };
    const auto stop = [](unsigned long long time) { return time - running; };
    CHECK(probe_watch_read(0, 1000) == 0);
    CHECK(probe_watch_read(start(1000), 1000) == 0);
    CHECK(probe_watch_read(start(1000), 1500) == 500);
    CHECK(probe_watch_read(start(1000) + stop(1300), 99999) == 300);
    CHECK(probe_watch_read(start(1000) + stop(1300) + start(2000), 2001) == 301);
    CHECK(probe_watch_read(stop(1300) + start(1000), 99999) == 300);
    CHECK(probe_watch_read(start(10) + stop(1300) + start(1299), 1400) == 1290 + 101);
}

TEST_CASE("shares: CPU time in proportion to the time a task could have used", "[probe]") {
    // Two hogs on one CPU, one that had a CPU to itself, one that slept throughout.
    const auto metrics = share_metrics({{"a:1", 50, 50}, {"b:2", 50, 50}, {"c:3", 100, 0}, {"d:4", 0, 0}}, true);
    CHECK(value(metrics, "share.tasks") == 3);
    CHECK(value(metrics, "share.ran") == Approx(2. / 3));
    CHECK(value(metrics, "share.task.a:1") == Approx(0.75));
    CHECK(value(metrics, "share.task.c:3") == Approx(1.5));
    CHECK(value(metrics, "share.least") == Approx(0.75));
    CHECK(value(metrics, "share.most") == Approx(1.5));
    CHECK(value(metrics, "share.fairness") == Approx(9. / (3 * (2 * .75 * .75 + 1.5 * 1.5))));
    CHECK(share_metrics({}, true).size() == 1);
}

TEST_CASE("an event is a line", "[probe]") {
    placement_event event{};
    event.time_ns = 5;
    event.task = 0xabc;
    event.pid = 7;
    event.cpu = 1;
    event.from = 2;
    event.to = 3;
    event.kind = event_migrate;
    event.flags = event_counted | event_is_waking;
    event.allowed.word[0] = 0xf;
    event.allowed.word[1] = 1;
    CHECK(event_line(event) == "5 migrate abc 7 on 1 from 2 to 3 flags cw util 0 allowed 0-3,64");
}
