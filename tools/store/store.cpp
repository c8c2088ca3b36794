// SPDX-License-Identifier: GPL-2.0-or-later
#include "store/store.h"

#include <fmt/format.h>

#include "core/error.h"

namespace schedlab {

using Json = nlohmann::ordered_json;

namespace {

constexpr std::int64_t application_id = 0x73636c62; // "sclb"

constexpr auto schema = R"(
CREATE TABLE runs (
    id           INTEGER PRIMARY KEY,
    cell         TEXT NOT NULL,
    identity     TEXT NOT NULL CHECK (json_valid(identity)),
    ended        TEXT NOT NULL,
    message      TEXT NOT NULL,
    record       TEXT CHECK (record IS NULL OR json_valid(record)),
    hello        TEXT NOT NULL CHECK (json_valid(hello)),
    started_at   TEXT NOT NULL,
    wall_seconds REAL NOT NULL,
    CHECK ((ended = 'done') = (record IS NOT NULL))
) STRICT;
CREATE INDEX runs_by_cell ON runs (cell, ended, id);
CREATE TABLE comparisons (
    id      INTEGER PRIMARY KEY,
    made_at TEXT NOT NULL,
    command TEXT NOT NULL,
    report  TEXT NOT NULL CHECK (json_valid(report))
) STRICT;
)";

bool is_empty(Database &db) { return db.integer("SELECT count(*) FROM sqlite_schema") == 0; }

void refuse_foreign(Database &db) {
    if (!is_empty(db) && db.integer("PRAGMA application_id") != application_id)
        throw environment_error(fmt::format("run store {}: an SQLite file of another program", db.path().string()),
                                "name another file with --db FILE; this one is left as it is");
    const std::int64_t version = db.integer("PRAGMA user_version");
    if (version > Store::schema_version)
        throw environment_error(fmt::format("run store {}: schema version {}, and this schedlab knows up to {}",
                                            db.path().string(), version, Store::schema_version),
                                "use the newer schedlab that wrote it, or another file with --db FILE");
}

void prepare(Database &db) {
    refuse_foreign(db);
    db.execute("PRAGMA journal_mode = WAL");
    db.execute("PRAGMA synchronous = FULL"); // a saved run survives a power cut
    Transaction transaction(db); // two programs may create it at once
    if (is_empty(db)) {
        db.execute(schema);
        db.execute(fmt::format("PRAGMA application_id = {}; PRAGMA user_version = {}", application_id,
                               Store::schema_version));
    }
    transaction.commit();
}

} // namespace

Store::Store(const std::filesystem::path &path) : db_(path) { prepare(db_); }

std::optional<StoredRun> Store::find_done(const std::string &cell) {
    const std::lock_guard lock(mutex_);
    Statement select(db_, "SELECT identity, record, hello, started_at, wall_seconds FROM runs "
                          "WHERE cell = ? AND ended = 'done' ORDER BY id DESC LIMIT 1");
    if (!select.bind(cell).step())
        return std::nullopt;
    StoredRun run;
    run.cell = cell;
    run.identity = Json::parse(select.text(0));
    run.record = Json::parse(select.text(1)).get<Record>();
    run.hello = Json::parse(select.text(2));
    run.started_at = select.text(3);
    run.wall_seconds = select.real(4);
    return run;
}

void Store::save(const StoredRun &run) {
    const std::lock_guard lock(mutex_);
    Statement insert(db_, "INSERT INTO runs (cell, identity, ended, message, record, hello, started_at, "
                          "wall_seconds) VALUES (?, ?, ?, ?, ?, ?, ?, ?)");
    insert.bind(run.cell).bind(run.identity.dump()).bind(run.ended).bind(run.message);
    if (run.ended == "done")
        insert.bind(Json(run.record).dump());
    else
        insert.bind(nullptr);
    insert.bind(run.hello.dump()).bind(run.started_at).bind(run.wall_seconds).step();
}

void Store::save_comparison(const std::string &made_at, const std::string &command, const Json &report) {
    const std::lock_guard lock(mutex_);
    Statement(db_, "INSERT INTO comparisons (made_at, command, report) VALUES (?, ?, ?)")
        .bind(made_at)
        .bind(command)
        .bind(report.dump())
        .step();
}

} // namespace schedlab
