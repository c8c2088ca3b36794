// SPDX-License-Identifier: GPL-2.0-or-later
// Frames of Android, in the shape of its tools' output, written for these tests.
#include "import/import.h"

#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <sqlite3.h>

#include "core/error.h"
#include "imported.h"
#include "sys/files.h"
#include "thrown.h"

using namespace schedlab;
using schedlab::test::read;
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
