// SPDX-License-Identifier: GPL-2.0-or-later
#include "report/load_tables.h"

#include <catch2/catch_test_macros.hpp>

using namespace schedlab;

namespace {

Metric metric(std::string name, double value) {
    return {std::move(name), "", MetricClass::time, Direction::neutral, MetricKind::value, value};
}

bool says(const std::string &text, const char *part) { return text.find(part) != text.npos; }

} // namespace

TEST_CASE("frames are a line of the table of 2017", "[report]") {
    Record record;
    record.metrics = {metric("ui.frames", 300), metric("ui.frame_ms.mean", 9.25), metric("ui.frame_ms.p99", 17.5),
                      metric("ui.janks", 4), metric("ui.vsyncs_skipped", 1)};
    std::set<std::string> shown;
    const std::string text = load_tables(record, shown);
    CHECK(says(text, "99 %  janks"));
    CHECK(says(text, "ui."));
    CHECK(says(text, " 300 "));
    CHECK(says(text, "17.50      4"));
    CHECK(shown.contains("ui.frame_ms.mean"));
    CHECK_FALSE(shown.contains("ui.vsyncs_skipped"));
}

TEST_CASE("hogs are listed as in top, a task a line", "[report]") {
    Record record;
    for (const std::string task : {"task0", "task1"})
        for (const Metric &each : {metric("share.", 0.5), metric("cpu.", 7), metric("moves.", 12)})
            record.metrics.push_back(metric(each.name + task, each.value));
    std::set<std::string> shown;
    const std::string text = load_tables(record, shown);
    CHECK(says(text, "0    7   50.0     12\n"));
    CHECK(says(text, "1    7   50.0     12\n"));
    CHECK(shown.size() == 6);
}

TEST_CASE("other loads have no table", "[report]") {
    Record record;
    record.metrics = {metric("ops_per_sec", 1), metric("my_share.task0", 1)};
    std::set<std::string> shown;
    CHECK(load_tables(record, shown).empty());
    CHECK(shown.empty());
}
