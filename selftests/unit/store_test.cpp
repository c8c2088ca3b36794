// SPDX-License-Identifier: GPL-2.0-or-later
#include "store/store.h"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_exception.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <fstream>
#include <sys/wait.h>
#include <unistd.h>

#include "core/error.h"
#include "store/run_json.h"
#include "sys/files.h"
#include "sys/hash.h"
#include "thrown.h"

using namespace schedlab;
using schedlab::test::thrown;
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

TEST_CASE("a run's frames are rows, and give its metrics", "[store]") {
    const TempDir dir("store-test");
    Store store(dir.path() / "s.db");
    StoredRun run = run_of("x", 3);
    run.record.frames = {{"", 1, 0, 100, 700, 2100}, {"", 2, 16000, 16500, 17000, 17500}};
    store.save(run_of("y", 1));
    store.save(run);
    StoredRun failed = run_of("z", 3);
    failed.ended = "hang";
    store.save(failed);
    Database db(dir.path() / "s.db");
    CHECK(db.integer("SELECT count(*) FROM frames WHERE run = 2") == 2);
    CHECK(db.integer("SELECT count(*) FROM frames") == 2);
    CHECK(db.integer("SELECT avg(completed_ns - start_ns) FROM frames WHERE run = 2 AND part = ''") == 1500);
    CHECK(db.integer("SELECT drawn_ns FROM frames WHERE number = 2 AND vsync_ns = 16000") == 17000);
    CHECK(store.find_done("x")->record.frames == run.record.frames);
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

TEST_CASE("runs are found by number, tag, machine, load and end", "[store]") {
    const TempDir dir("store-test");
    Store store(dir.path() / "s.db");
    for (int i = 0; i < 6; ++i) {
        StoredRun run = run_of(std::to_string(i), i);
        run.identity = {{"machine", {{"name", i < 3 ? "toy" : "big"}}}, {"job", {{"load", i % 2 ? "rr" : "pipe"}}}};
        run.ended = i == 5 ? "panic" : "done";
        run.tags = i < 2 ? std::vector<std::string>{"first"} : std::vector<std::string>{};
        CHECK(store.save(run) == i + 1);
    }
    const auto ids = [&](const RunQuery &query) {
        std::vector<std::int64_t> found;
        for (const StoredRun &run : store.find(query))
            found.push_back(run.id);
        return found;
    };
    using Ids = std::vector<std::int64_t>;
    CHECK(ids({}) == Ids{1, 2, 3, 4, 5, 6});
    CHECK(ids(parse_run_query("2-3,6")) == Ids{2, 3, 6});
    CHECK(ids(parse_run_query("first")) == Ids{1, 2});
    CHECK(ids({.machine = "big"}) == Ids{4, 5, 6});
    CHECK(ids({.machine = "big", .load = "rr"}) == Ids{4, 6});
    CHECK(ids({.ended = "panic"}) == Ids{6});
    CHECK(ids({.newest = 2}) == Ids{6, 5});

    CHECK(store.tag(parse_run_query("2-4"), "second") == 3);
    CHECK(store.tag(std::vector<std::int64_t>{4, 5}, "second") == 1); // 4 has it
    CHECK(store.find(parse_run_query("2"))[0].tags == std::vector<std::string>{"first", "second"});
    CHECK(store.untag({}, "first") == 2);
    CHECK(store.remove(parse_run_query("second")) == 4);
    CHECK(ids({}) == Ids{1, 6});
    CHECK(store.tags().empty()); // tags go with their runs
}

TEST_CASE("what names runs on a command line, and what does not", "[store]") {
    CHECK(parse_run_query("12-20,31").ids == std::vector<std::pair<std::int64_t, std::int64_t>>{{12, 20}, {31, 31}});
    CHECK(parse_run_query("v6.12/base").tag == "v6.12/base");
    for (const char *wrong : {"", "0", "1,", "1-", "3-2", "1x", "-1", "two words", "99999999999999999999"}) {
        INFO(wrong);
        CHECK_THROWS_AS(parse_run_query(wrong), Error);
    }
}

TEST_CASE("a store of schema version 1 is brought up to date, its runs kept", "[store]") {
    const TempDir dir("store-test");
    const auto path = dir.path() / "s.db";
    Database(path).execute(R"(
        CREATE TABLE runs (id INTEGER PRIMARY KEY, cell TEXT NOT NULL, identity TEXT NOT NULL, ended TEXT NOT NULL,
            message TEXT NOT NULL, record TEXT, hello TEXT NOT NULL, started_at TEXT NOT NULL, wall_seconds REAL NOT NULL) STRICT;
        CREATE INDEX runs_by_cell ON runs (cell, ended, id);
        CREATE TABLE comparisons (id INTEGER PRIMARY KEY, made_at TEXT NOT NULL, command TEXT NOT NULL, report TEXT NOT NULL) STRICT;
        INSERT INTO runs VALUES (1, 'c', '{"machine":{"name":"toy"},"job":{"load":"pipe"}}', 'panic', 'oops', NULL, 'null',
            '2020-11-09T12:00:00Z', 1.5);
        INSERT INTO comparisons VALUES (1, '2020-11-09T12:00:00Z', 'schedlab ab', '{"verdict":"better"}');
        PRAGMA application_id = 0x73636c62; PRAGMA user_version = 1)");
    Store store(path);
    const auto runs = store.find({.machine = "toy", .load = "pipe"});
    REQUIRE(runs.size() == 1);
    CHECK(runs[0].message == "oops");
    CHECK(runs[0].environment.empty());
    CHECK(store.comparisons(10).at(0).verdict == "better");
    CHECK(store.find_comparison(1)->runs_a.empty());
    CHECK(store.tag(RunQuery(), "old") == 1);
    CHECK(Database(path).integer("PRAGMA user_version") == 4);
}

TEST_CASE("a run's number is never given again, and its tags go with it whoever deletes it", "[store]") {
    const TempDir dir("store-test");
    const auto path = dir.path() / "s.db";
    Store store(path);
    StoredRun run = run_of("x", 3);
    run.tags = {"old"};
    store.save(run);
    Database(path).execute("PRAGMA foreign_keys = OFF; DELETE FROM runs"); // as the sqlite3 shell does
    CHECK(store.tags().empty());
    CHECK(store.save(run_of("y", 4)) == 2);
    CHECK(store.remove(parse_run_query("2")) == 1);
    CHECK(store.save(run_of("z", 4)) == 3);
}

TEST_CASE("a store of schema version 3 keeps its runs' numbers, and those it only heard of", "[store]") {
    const TempDir dir("store-test");
    const auto path = dir.path() / "s.db";
    Database(path).execute(R"(
        CREATE TABLE runs (id INTEGER PRIMARY KEY, cell TEXT NOT NULL, identity TEXT NOT NULL, ended TEXT NOT NULL,
            message TEXT NOT NULL, record TEXT, hello TEXT NOT NULL, started_at TEXT NOT NULL, wall_seconds REAL NOT NULL,
            environment TEXT NOT NULL DEFAULT '{}', machine TEXT AS (identity ->> '$.machine.name'),
            load TEXT AS (identity ->> '$.job.load')) STRICT;
        CREATE TABLE tags (name TEXT NOT NULL, run INTEGER NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
            PRIMARY KEY (name, run)) STRICT, WITHOUT ROWID;
        CREATE TABLE comparisons (id INTEGER PRIMARY KEY, made_at TEXT NOT NULL, command TEXT NOT NULL, report TEXT NOT NULL,
            runs TEXT NOT NULL DEFAULT '{}') STRICT;
        CREATE VIEW frames AS SELECT runs.id AS run FROM runs;
        INSERT INTO runs (id, cell, identity, ended, message, hello, started_at, wall_seconds)
            VALUES (4, 'c', '{"machine":{"name":"toy"}}', 'panic', 'oops', 'null', '2020-11-09T12:00:00Z', 1.5);
        INSERT INTO tags VALUES ('kept', 4), ('left over', 5);
        INSERT INTO comparisons VALUES (1, '2020-11-09T12:00:00Z', 'schedlab ab', '{}', '{"a":[3,4],"b":[8,9]}');
        PRAGMA application_id = 0x73636c62; PRAGMA user_version = 3)");
    Store store(path);
    CHECK(store.find({.machine = "toy"}).at(0).id == 4);
    CHECK(store.tags() == std::vector<std::pair<std::string, std::int64_t>>{{"kept", 1}});
    CHECK(store.save(run_of("x", 3)) == 10);
    CHECK(store.find_comparison(1)->runs_b == std::vector<std::int64_t>{8, 9});
}

TEST_CASE("comparisons and shared texts are found again", "[store]") {
    const TempDir dir("store-test");
    Store store(dir.path() / "s.db");
    CHECK_FALSE(store.find_comparison(0));
    CHECK(store.save_comparison({0, "2020-11-09T12:00:00Z", "first", {{"verdict", nullptr}}, {1, 2}, {3}}) == 1);
    CHECK(store.save_comparison({0, "2020-11-09T12:00:01Z", "second", {{"verdict", "same"}}, {}, {}}) == 2);
    CHECK(store.find_comparison(0)->command == "second");
    CHECK(store.find_comparison(1)->runs_a == std::vector<std::int64_t>{1, 2});
    CHECK(store.comparisons(1).at(0).command == "second");
    CHECK(store.comparisons(9).at(1).verdict == "none");
    const std::string hash = store.keep_text("CONFIG_SMP=y");
    CHECK(store.keep_text("CONFIG_SMP=y") == hash);
    CHECK(store.find_text(hash) == "CONFIG_SMP=y");
    CHECK_FALSE(store.find_text("none"));
}

TEST_CASE("exported runs are imported as they were, changed ones refused", "[store]") {
    StoredRun run = run_of("", 3);
    run.cell = sha256_hex(run.identity.dump());
    run.tags = {"base"};
    const StoredRun read = parse_run(run_json(run), "file:1");
    CHECK(run_json(read) == run_json(run));
    const TempDir dir("store-test");
    Store store(dir.path() / "s.db");
    CHECK_FALSE(store.holds(read));
    store.save(std::vector{read});
    CHECK(store.holds(read));
    CHECK(store.find(parse_run_query("base")).size() == 1);

    auto changed = run_json(run);
    changed["identity"]["seed"] = 2;
    CHECK_THROWS_MATCHES(parse_run(changed, "file:1"), Error, MessageMatches(ContainsSubstring("file:1: 'cell'")));
    changed = run_json(run);
    changed["tags"] = {"no tag"};
    CHECK_THROWS_AS(parse_run(changed, "file:1"), Error);
}

TEST_CASE("a record that others wrote must be one that can be compared and shown", "[store]") {
    const auto complaint = [](auto change) {
        auto json = run_json(run_of("", 3));
        json["cell"] = sha256_hex(json["identity"].dump());
        json["record"]["metrics"] = {{{"name", "seconds"}, {"unit", "s"}, {"class", "time"}, {"direction", "lower"}, {"kind", "value"}, {"value", 1}}};
        change(json["record"]["metrics"]);
        return std::string(thrown([&] { parse_run(json.dump(), "file:1"); }).what());
    };
    CHECK(complaint([](auto &metrics) { metrics.push_back(metrics[0]); }) == "file:1: metric 'seconds' is there twice");
    CHECK(complaint([](auto &metrics) { metrics[0]["name"] = "x\n"; }) == "file:1: metric 'x?' has a name that cannot be printed");
    CHECK(complaint([](auto &metrics) { metrics[0]["value"] = 1e200; }) == "file:1: metric 'seconds' is too large or too small to be compared");
    CHECK(complaint([](auto &metrics) { metrics[0].erase("unit"); }) == "file:1: record.metrics[0]: 'unit' is missing");
    const std::string deep(200'000, '[');
    CHECK(thrown([&] { parse_run("{\"schedlab\":" + deep, "file:1"); }).what() == std::string("file:1: no JSON"));
    CHECK_FALSE(foreign_json(R"({"brackets are text here": "[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[\""})").is_discarded());
}
