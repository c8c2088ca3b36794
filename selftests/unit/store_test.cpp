// SPDX-License-Identifier: GPL-2.0-or-later
#include "store/store.h"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_exception.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <fstream>
#include <sys/wait.h>
#include <unistd.h>

#include "core/error.h"
#include "sys/files.h"

using namespace schedlab;
using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::MessageMatches;

namespace {

StoredRun run_of(const std::string &cell, double value) {
    StoredRun run;
    run.cell = cell;
    run.identity = {{"seed", 1}};
    run.record.load = "pipe";
    run.record.options = {{"loops", 5}};
    run.record.seed = 1;
    run.record.metrics = {
        {"migrations", "1", MetricClass::placement, Direction::lower_is_better, MetricKind::count, value}};
    run.hello = {{"release", "6.12.117"}};
    run.started_at = "2020-11-09T12:00:00Z";
    return run;
}

} // namespace

TEST_CASE("a saved run is found again, the newest of its cell", "[store]") {
    const TempDir dir("store-test");
    {
        Store store(dir.path() / "s.db");
        CHECK_FALSE(store.find_done("x"));
        store.save(run_of("x", 3));
        store.save(run_of("y", 4));
        store.save(run_of("x", 5));
    }
    Store again(dir.path() / "s.db");
    const auto found = again.find_done("x");
    REQUIRE(found);
    CHECK(found->record.find("migrations")->value == 5);
    CHECK(found->identity == run_of("x", 5).identity);
    CHECK(found->hello == run_of("x", 5).hello);
    CHECK(found->started_at == "2020-11-09T12:00:00Z");
}

TEST_CASE("a failed run is kept and not taken for a result", "[store]") {
    const TempDir dir("store-test");
    Store store(dir.path() / "s.db");
    StoredRun failed = run_of("x", 3);
    failed.ended = "panic";
    failed.message = "kernel panic";
    store.save(failed);
    CHECK_FALSE(store.find_done("x"));
    Database db(dir.path() / "s.db");
    CHECK(db.integer("SELECT count(*) FROM runs WHERE ended = 'panic' AND message = 'kernel panic'") == 1);
}

TEST_CASE("two programs use one store at once", "[store]") {
    const TempDir dir("store-test");
    Store first(dir.path() / "s.db"), second(dir.path() / "s.db");
    first.save(run_of("x", 3));
    second.save(run_of("y", 4));
    CHECK(first.find_done("y"));
    CHECK(second.find_done("x"));
}

TEST_CASE("what was saved survives kill -9", "[store]") {
    const TempDir dir("store-test");
    const pid_t child = fork();
    REQUIRE(child >= 0);
    if (child == 0) {
        Store store(dir.path() / "s.db");
        store.save(run_of("x", 3));
        kill(getpid(), SIGKILL);
    }
    int status = 0;
    REQUIRE(waitpid(child, &status, 0) == child);
    REQUIRE(WIFSIGNALED(status));
    Store store(dir.path() / "s.db");
    CHECK(store.find_done("x"));
}

TEST_CASE("files that are no run store are refused and left as they are", "[store]") {
    const TempDir dir("store-test");
    const auto text = dir.path() / "text";
    std::ofstream(text) << std::string(2000, 'x');
    CHECK_THROWS_MATCHES(Store(text), Error, MessageMatches(ContainsSubstring("not a database")));
    CHECK(read_file(text) == std::string(2000, 'x'));

    const auto foreign = dir.path() / "foreign.db";
    Database(foreign).execute("CREATE TABLE theirs (x)");
    CHECK_THROWS_MATCHES(Store(foreign), Error, MessageMatches(ContainsSubstring("another program")));

    CHECK_THROWS_MATCHES(Store(dir.path() / "missing" / "s.db"), Error,
                         MessageMatches(ContainsSubstring("unable to open")));
}

TEST_CASE("a newer schema is refused", "[store]") {
    const TempDir dir("store-test");
    const auto path = dir.path() / "s.db";
    { const Store create(path); }
    Database(path).execute("PRAGMA user_version = 99");
    CHECK_THROWS_MATCHES(Store(path), Error, MessageMatches(ContainsSubstring("schema version 99")));
}

TEST_CASE("a full disk is said to be one, and what was saved stays", "[store]") {
    const TempDir dir("store-test");
    Database db(dir.path() / "s.db");
    db.execute("CREATE TABLE t (x); PRAGMA max_page_count = 3"); // SQLite's own way to run out of room
    try {
        for (int i = 0; i < 1000; ++i)
            Statement(db, "INSERT INTO t VALUES (?)").bind(std::string(5000, 'x')).step();
        FAIL("the file grew beyond its limit");
    } catch (const Error &e) {
        CHECK(e.code() == Exit::environment);
        CHECK_THAT(e.what(), ContainsSubstring("full"));
        CHECK_THAT(e.remedy(), ContainsSubstring("space"));
    }
    CHECK(db.integer("SELECT count(*) FROM t") >= 0);
}

TEST_CASE("a transaction that is not committed leaves nothing", "[store]") {
    const TempDir dir("store-test");
    Database db(dir.path() / "s.db");
    db.execute("CREATE TABLE t (x)");
    {
        Transaction lost(db);
        db.execute("INSERT INTO t VALUES (1)");
    }
    CHECK(db.integer("SELECT count(*) FROM t") == 0);
    Transaction kept(db);
    db.execute("INSERT INTO t VALUES (1)");
    kept.commit();
    CHECK(db.integer("SELECT count(*) FROM t") == 1);
}
