// SPDX-License-Identifier: GPL-2.0-or-later
// Frames of Android, in the shape of its tools' output, written for these tests.
#include "import/import.h"

#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <sqlite3.h>

#include "core/error.h"
#include "imported.h"
#include "import/scan.h"
#include "sys/files.h"
#include "thrown.h"

using namespace schedlab;
using schedlab::test::read;
using schedlab::test::read_as_file;
using schedlab::test::thrown;
using schedlab::test::value;
using Catch::Matchers::ContainsSubstring;

TEST_CASE("gfxinfo: columns by title, flagged rows are no frames", "[import]") {
    const std::string late = "0,1000000,0,21000000,\n"; // 20 ms
    const Imported log = read("Stats since: 1ns\n---PROFILEDATA---\nFlags,IntendedVsync,Vsync,FrameCompleted,\n0,1000000,0,11000000,\n" + late +
                              "1,1000000,0,900000000,\n0,5,0\n---PROFILEDATA---\nView hierarchy:\n0,1,2,3\n"
                              "---PROFILEDATA---\nFlags,FrameTimelineVsyncId,FrameCompleted,IntendedVsync,\n0,7,12000000,2000000,\n---PROFILEDATA---\n");
    CHECK(value(log, "frames") == 3);
    CHECK(value(log, "frame_ms.p50") == 10);
    CHECK(value(log, "frame_ms.p99") == 20);
    CHECK(value(log, "frame_ms.mean") == Catch::Approx(40.0 / 3));
    CHECK(value(log, "janks") == 1);
    REQUIRE(log.skipped.size() == 2);
    CHECK(log.skipped[0].line == 6);
    CHECK(log.skipped[1].line == 7);
}

TEST_CASE("gfxinfo: the columns of several versions of Android", "[import]") {
    const std::string old = "Flags,IntendedVsync,Vsync,OldestInputEvent,NewestInputEvent,HandleInputStart,AnimationStart,PerformTraversalsStart,DrawStart,"
                            "SyncQueued,SyncStart,IssueDrawCommandsStart,SwapBuffers,FrameCompleted,DequeueBufferDuration,QueueBufferDuration,";
    const std::string middle = old + "GpuCompleted,SwapBuffersCompleted,DisplayPresentTime,A,B,C,";
    const std::string newer = "Flags,FrameTimelineVsyncId,IntendedVsync,Vsync,InputEventId,HandleInputStart,AnimationStart,PerformTraversalsStart,DrawStart,"
                              "FrameDeadline,FrameInterval,FrameStartTime,SyncQueued,SyncStart,IssueDrawCommandsStart,SwapBuffers,FrameCompleted,"
                              "DequeueBufferDuration,QueueBufferDuration,GpuCompleted,SwapBuffersCompleted,DisplayPresentTime,CommandSubmissionCompleted,A,";
    std::string swapped = old;
    swapped.replace(swapped.find("IntendedVsync,Vsync"), 19, "Vsync,IntendedVsync");
    for (const auto &[titles, columns] : {std::pair(old, 16), std::pair(middle, 22), std::pair(newer, 24), std::pair(swapped, 16)}) {
        std::string row;
        int count = 0;
        for (const std::string_view title : fields_of(std::string_view(titles).substr(0, titles.size() - 1), ',')) {
            ++count;
            row += title == "Flags" ? "0," : title == "IntendedVsync" ? "1000000," : title == "FrameCompleted" ? "13000000," : "7,";
        }
        INFO(titles);
        CHECK(count == columns);
        CHECK(value(read("---PROFILEDATA---\n" + titles + "\n" + row + "\n---PROFILEDATA---\n"), "frame_ms.p50") == 12);
    }
}

TEST_CASE("SurfaceFlinger: from frame to frame, what was not shown, what was missed", "[import]") {
    const Imported log = read("16666667\n0\t0\t0\n1000\t100000000\t900\n1000\t116666667\t900\n1000\t133333334\t900\n"
                              "1000\t166666668\t900\n5\t9223372036854775807\t5\n\n");
    CHECK(log.format == "SurfaceFlinger");
    CHECK(value(log, "frames") == 3);
    CHECK(value(log, "janks") == 1);
    CHECK(value(log, "frame_ms.p50") == Catch::Approx(16.666667));
    CHECK(value(log, "frame_ms.p99") == Catch::Approx(33.333334));
    const Imported two = read("16666667\n1\t2000000\t1\n1\t4000000\t1\n16666667\n1\t2000000\t1\n");
    CHECK(two.results.size() == 1);
    CHECK_THAT(two.skipped.at(0).reason, ContainsSubstring("fewer than two"));
    CHECK(two.skipped[0].line == 4);
}

TEST_CASE("Jankbench: an iteration of all tests is a result, as text and from its database", "[import]") {
    const Imported log = read("_id,name,iteration,total_duration,jank_frame\n1,list_view,0,8.0,0\n2,list_view,0,20.0,1\n"
                              "3,\"shadow_grid\",0,10.0,0\n4,list_view,1,9.0,0\n5,list_view,1,fast,0\n6,list_view\n");
    CHECK(log.format == "Jankbench");
    REQUIRE(log.results.size() == 2);
    CHECK(log.results[1].line == 5);
    CHECK(value(log, "frames") == 3);
    CHECK(value(log, "janks") == 1);
    CHECK(value(log, "frame_ms.p50") == 10);
    CHECK(value(log, "list_view.frame_ms.mean") == 14);
    CHECK(value(log, "shadow_grid.janks") == 0);
    CHECK(value(log, "list_view.frame_ms.p99", 1) == 9);
    REQUIRE(log.skipped.size() == 2);
    CHECK(log.skipped[0].line == 6);
    CHECK(value(read("iteration|name|jank_frame|total_duration\n0|list_view|1|7.5\n"), "janks") == 1);

    const TempDir dir("jankbench-test");
    const auto file = dir.path() / "BenchmarkResults", other = dir.path() / "other";
    const auto make = [](const std::filesystem::path &path, const char *sql) {
        sqlite3 *db = nullptr;
        REQUIRE(sqlite3_open(path.c_str(), &db) == SQLITE_OK);
        CHECK(sqlite3_exec(db, sql, nullptr, nullptr, nullptr) == SQLITE_OK);
        sqlite3_close(db);
    };
    make(file, "CREATE TABLE ui_results (_id INTEGER PRIMARY KEY, name TEXT, iteration INTEGER, total_duration REAL, jank_frame INTEGER);"
               "INSERT INTO ui_results VALUES (1, 'list_view', 0, 8.0, 0), (2, 'list_view', 0, 20.0, 1), (3, NULL, 1, 5.0, 0)");
    const Imported kept = import_file(file);
    CHECK(kept.results.size() == 2);
    CHECK(value(kept, "list_view.frame_ms.mean") == 14);
    CHECK(value(kept, "janks") == 1);
    make(other, "CREATE TABLE t (x)");
    CHECK_THAT(thrown([&] { import_file(other); }).what(), ContainsSubstring("none of Jankbench's results: no such table"));
}

TEST_CASE("Jankbench: rows of its table as JSON", "[import]") {
    // As `sqlite3 -json` writes them, a row a line, and as data frames are written.
    const Imported log = read_as_file("[{\"_id\":1,\"name\":\"list_view\",\"iteration\":0,\"total_duration\":8.0,\"jank_frame\":0},\n"
                                      "{\"_id\":2,\"name\":\"list_view\",\"iteration\":0,\"total_duration\":20,\"jank_frame\":1},\n"
                                      "{\"_id\":3,\"name\":\"list_view\",\"iteration\":1,\"total_duration\":9.0,\"jank_frame\":false},\n"
                                      "{\"_id\":4,\"name\":null,\"iteration\":1,\"total_duration\":9.0,\"jank_frame\":true}]\n");
    CHECK(log.format == "Jankbench");
    REQUIRE(log.results.size() == 2);
    CHECK(value(log, "frames") == 2);
    CHECK(value(log, "janks") == 1);
    CHECK(value(log, "list_view.frame_ms.mean") == 14);
    CHECK(value(log, "frame_ms.p95", 1) == 9);
    REQUIRE(log.skipped.size() == 1);
    CHECK(log.skipped[0].line == 4);
    CHECK_THAT(log.skipped[0].reason, ContainsSubstring("without name"));
    CHECK_THAT(thrown([] { read_as_file("[{\"name\":\"x\",\"iteration\":0,\"total_duration\":8.0,\"jank_frame\":0},"); }).what(),
               ContainsSubstring("is no JSON"));
    CHECK_THAT(thrown([] { read_as_file(std::string(40, '[') + std::string(40, ']') + " \"total_duration\" \"jank_frame\""); }).what(),
               ContainsSubstring("is no JSON"));
    std::string deep = "{\"total_duration\":1,\"jank_frame\":";
    for (int i = 0; i < 40; ++i)
        deep += "{\"x\":";
    CHECK_THAT(thrown([&] { read_as_file(deep); }).what(), ContainsSubstring("deeper than"));
}

TEST_CASE("Jankbench: a run's summary as JSON", "[import]") {
    const std::string tests = "[{\"test_name\":\"List View Fling\",\"score\":3,\"jank_pct\":2.0,\"total_frames\":100,\"ms_avg\":8.0,\"ms_95th_pctl\":15.5},"
                              "{\"test_name\":\"Overdraw Test\",\"jank_pct\":1.0,\"total_frames\":300,\"ms_avg\":4.0}]";
    const std::string run = "{\"run_id\":7,\"kernel_version\":\"Linux localhost 4.14.190-g1 #1 SMP PREEMPT\",\"refresh_rate\":60,\"results\":" + tests + "}";
    const Imported log = read_as_file(run);
    REQUIRE(log.results.size() == 1);
    CHECK(log.results[0].kernel == "4.14.190-g1");
    CHECK(value(log, "frames") == 400);
    CHECK(value(log, "janks") == 5);
    CHECK(value(log, "frame_ms.mean") == 5);
    CHECK(value(log, "List View Fling.frame_ms.p95") == 15.5);
    CHECK(value(log, "Overdraw Test.janks") == 3);
    CHECK_FALSE(log.results[0].record.find("frame_ms.p95"));
    CHECK(read_as_file("[" + run + ",\n" + run + "]").results.size() == 2);
    const std::string twice = "{\"results\":[" + tests.substr(1, tests.size() - 2) + "," + tests.substr(1);
    CHECK_THAT(thrown([&] { read_as_file(twice + "}"); }).remedy(), ContainsSubstring("comes twice"));
    CHECK_THAT(thrown([&] { read_as_file("{\"results\":[{\"test_name\":\"x\",\"jank_pct\":1,\"ms_avg\":2}]}"); }).remedy(),
               ContainsSubstring("without total_frames"));
}
