// SPDX-License-Identifier: GPL-2.0-or-later
#include "store/schema.h"

#include <fmt/format.h>
#include <iterator>

#include "core/error.h"

namespace schedlab {

namespace {

constexpr std::int64_t application_id = 0x73636c62; // "sclb"

// Step N leads from version N to N + 1. A step that was released stays as it is.
constexpr const char *steps[] = {
    R"(
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
)",
    // The computed columns take no room of their own; their indexes keep narrowed lists quick.
    R"(
ALTER TABLE runs ADD COLUMN environment TEXT NOT NULL DEFAULT '{}' CHECK (json_valid(environment));
ALTER TABLE runs ADD COLUMN machine TEXT AS (identity ->> '$.machine.name');
ALTER TABLE runs ADD COLUMN load TEXT AS (identity ->> '$.job.load');
CREATE INDEX runs_by_load ON runs (load, id);
CREATE INDEX runs_by_machine ON runs (machine, id);
CREATE INDEX runs_by_end ON runs (ended, id);
CREATE TABLE tags (
    name TEXT NOT NULL,
    run  INTEGER NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
    PRIMARY KEY (name, run)
) STRICT, WITHOUT ROWID;
CREATE INDEX tags_by_run ON tags (run);
CREATE TABLE texts (
    hash TEXT PRIMARY KEY,
    text TEXT NOT NULL
) STRICT, WITHOUT ROWID;
ALTER TABLE comparisons ADD COLUMN runs TEXT NOT NULL DEFAULT '{}' CHECK (json_valid(runs));
)",
    // The rows are the record's own; none is kept twice.
    R"(
CREATE VIEW frames AS
    SELECT runs.id AS run, frame.value ->> 0 AS part, frame.value ->> 1 AS number, frame.value ->> 2 AS vsync_ns,
           frame.value ->> 3 AS start_ns, frame.value ->> 4 AS drawn_ns, frame.value ->> 5 AS completed_ns
    FROM runs, json_each(runs.record, '$.frames') AS frame;
)",
    // A number is never given twice, also where its run was deleted: comparisons and people go on naming it. SQLite adds this
    // to no table that is there. Numbers that are known from comparisons and tags alone are taken, too.
    R"(
DROP VIEW frames;
CREATE TABLE numbered_runs (
    id           INTEGER PRIMARY KEY AUTOINCREMENT,
    cell         TEXT NOT NULL,
    identity     TEXT NOT NULL CHECK (json_valid(identity)),
    ended        TEXT NOT NULL,
    message      TEXT NOT NULL,
    record       TEXT CHECK (record IS NULL OR json_valid(record)),
    hello        TEXT NOT NULL CHECK (json_valid(hello)),
    started_at   TEXT NOT NULL,
    wall_seconds REAL NOT NULL,
    environment  TEXT NOT NULL DEFAULT '{}' CHECK (json_valid(environment)),
    machine      TEXT AS (identity ->> '$.machine.name'),
    load         TEXT AS (identity ->> '$.job.load'),
    CHECK ((ended = 'done') = (record IS NOT NULL))
) STRICT;
INSERT INTO numbered_runs (id, cell, identity, ended, message, record, hello, started_at, wall_seconds, environment)
    SELECT id, cell, identity, ended, message, record, hello, started_at, wall_seconds, environment FROM runs;
DROP TABLE runs;
ALTER TABLE numbered_runs RENAME TO runs;
CREATE INDEX runs_by_cell ON runs (cell, ended, id);
CREATE INDEX runs_by_load ON runs (load, id);
CREATE INDEX runs_by_machine ON runs (machine, id);
CREATE INDEX runs_by_end ON runs (ended, id);
DELETE FROM sqlite_sequence WHERE name = 'runs';
INSERT INTO sqlite_sequence (name, seq) SELECT 'runs', coalesce(max(id), 0) FROM (
    SELECT id FROM runs
    UNION ALL SELECT run FROM tags
    UNION ALL SELECT named.value FROM comparisons, json_each(comparisons.runs, '$.a') AS named
    UNION ALL SELECT named.value FROM comparisons, json_each(comparisons.runs, '$.b') AS named);
DELETE FROM tags WHERE run NOT IN (SELECT id FROM runs);
CREATE TRIGGER tags_go_with_their_run AFTER DELETE ON runs BEGIN
    DELETE FROM tags WHERE run = old.id;
END;
CREATE VIEW frames AS
    SELECT runs.id AS run, frame.value ->> 0 AS part, frame.value ->> 1 AS number, frame.value ->> 2 AS vsync_ns,
           frame.value ->> 3 AS start_ns, frame.value ->> 4 AS drawn_ns, frame.value ->> 5 AS completed_ns
    FROM runs, json_each(runs.record, '$.frames') AS frame;
)"};
static_assert(std::size(steps) == store_schema_version);

bool is_empty(Database &db) { return db.integer("SELECT count(*) FROM sqlite_schema") == 0; }

void refuse_foreign(Database &db) {
    if (!is_empty(db) && db.integer("PRAGMA application_id") != application_id)
        throw environment_error(fmt::format("run store {}: an SQLite file of another program", db.path().string()),
                                "name another file with --db FILE; this one is left as it is");
    const std::int64_t version = db.integer("PRAGMA user_version");
    if (version > store_schema_version)
        throw environment_error(fmt::format("run store {}: schema version {}, and this schedlab knows up to {}",
                                            db.path().string(), version, store_schema_version),
                                "use the newer schedlab that wrote it, or another file with --db FILE");
}

} // namespace

void prepare_schema(Database &db) {
    refuse_foreign(db);
    const std::int64_t found = db.integer("PRAGMA user_version");
    if (!db.writable() && found != store_schema_version)
        throw environment_error(fmt::format("run store {}: schema version {}, which has to be brought up to {}, and the file cannot be written",
                                            db.path().string(), found, store_schema_version),
                                "any command of schedlab does it that opens the file where it can be written; a copy will do");
    if (db.writable())
        db.execute("PRAGMA journal_mode = WAL");
    if (found == store_schema_version)
        return;
    Transaction transaction(db); // two programs may create or migrate it at once: asked again, alone
    for (std::int64_t version = db.integer("PRAGMA user_version"); version < store_schema_version; ++version)
        db.execute(steps[version]);
    db.execute(fmt::format("PRAGMA application_id = {}; PRAGMA user_version = {}", application_id,
                           store_schema_version));
    transaction.commit();
}

} // namespace schedlab
