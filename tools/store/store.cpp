// SPDX-License-Identifier: GPL-2.0-or-later
#include "store/store.h"

#include <algorithm>
#include <fmt/format.h>

#include "core/error.h"
#include "store/schema.h"
#include "sys/hash.h"

namespace schedlab {

using Json = nlohmann::ordered_json;

namespace {

constexpr auto run_columns = "id, cell, identity, ended, message, record, hello, started_at, wall_seconds, environment, "
                             "(SELECT json_group_array(name) FROM (SELECT name FROM tags WHERE run = runs.id ORDER BY name))";

StoredRun read_run(const Statement &row) try {
    StoredRun run;
    run.id = row.integer(0);
    run.cell = row.text(1);
    run.identity = Json::parse(row.text(2));
    run.ended = row.text(3);
    run.message = row.text(4);
    if (run.ended == "done")
        run.record = Json::parse(row.text(5)).get<Record>();
    run.hello = Json::parse(row.text(6));
    run.started_at = row.text(7);
    run.wall_seconds = row.real(8);
    run.environment = Json::parse(row.text(9));
    run.tags = Json::parse(row.text(10)).get<std::vector<std::string>>();
    return run;
} catch (const std::exception &e) { // another program wrote to the file
    throw usage_error(fmt::format("run {} of the store: {}", row.integer(0), e.what()), "'schedlab runs delete' takes it away");
}

StoredComparison read_comparison(const Statement &row, const std::filesystem::path &path) try {
    StoredComparison found{row.integer(0), row.text(1), row.text(2), Json::parse(row.text(3)), {}, {}};
    const Json runs = Json::parse(row.text(4));
    found.runs_a = runs.value("a", std::vector<std::int64_t>());
    found.runs_b = runs.value("b", std::vector<std::int64_t>());
    return found;
} catch (const Json::exception &e) { // another program wrote to the file
    throw damaged_comparison(row.integer(0), path, e.what());
}

// " WHERE ..." with a ? for each of bind_query()'s values.
std::string where(const RunQuery &query) {
    std::vector<std::string> all;
    std::string any;
    for ([[maybe_unused]] const auto &range : query.ids)
        any += std::string(any.empty() ? "" : " OR ") + "id BETWEEN ? AND ?";
    if (!any.empty())
        all.push_back("(" + any + ")");
    if (!query.tag.empty())
        all.push_back("id IN (SELECT run FROM tags WHERE name = ?)");
    if (!query.machine.empty())
        all.push_back("machine = ?");
    if (!query.load.empty())
        all.push_back("load = ?");
    if (!query.ended.empty())
        all.push_back("ended = ?");
    return all.empty() ? "" : fmt::format(" WHERE {}", fmt::join(all, " AND "));
}

Statement &bind_query(Statement &statement, const RunQuery &query) {
    for (const auto &[first, last] : query.ids)
        statement.bind(first).bind(last);
    for (const std::string *text : {&query.tag, &query.machine, &query.load, &query.ended})
        if (!text->empty())
            statement.bind(*text);
    return statement;
}

std::string order(const RunQuery &query) {
    return query.newest ? fmt::format(" ORDER BY id DESC LIMIT {}", query.newest) : std::string(" ORDER BY id");
}

void add_tag(Database &db, const std::string &name, std::int64_t run) {
    Statement(db, "INSERT OR IGNORE INTO tags (name, run) VALUES (?, ?)").bind(name).bind(run).step();
}

} // namespace

Store::Store(const std::filesystem::path &path, Access access) : db_(path, access) {
    prepare_schema(db_);
    db_.execute("PRAGMA synchronous = FULL"); // a saved run survives a power cut
    db_.execute("PRAGMA foreign_keys = ON");  // a run's tags go with it
}

std::optional<StoredRun> Store::find_done(const std::string &cell) {
    const std::lock_guard lock(mutex_);
    Statement select(db_, fmt::format("SELECT {} FROM runs WHERE cell = ? AND ended = 'done' ORDER BY id DESC LIMIT 1",
                                      run_columns));
    if (!select.bind(cell).step())
        return std::nullopt;
    return read_run(select);
}

std::int64_t Store::save(const StoredRun &run) {
    const std::lock_guard lock(mutex_);
    Transaction transaction(db_);
    const std::int64_t id = insert(run);
    transaction.commit();
    return id;
}

void Store::save(std::span<const StoredRun> runs) {
    const std::lock_guard lock(mutex_);
    Transaction transaction(db_);
    for (const StoredRun &run : runs)
        insert(run);
    transaction.commit();
}

std::int64_t Store::insert(const StoredRun &run) {
    Statement insert(db_, "INSERT INTO runs (cell, identity, ended, message, record, hello, started_at, wall_seconds, "
                          "environment) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)");
    insert.bind(run.cell).bind(run.identity.dump()).bind(run.ended).bind(run.message);
    if (run.ended == "done")
        insert.bind(Json(run.record).dump());
    else
        insert.bind(nullptr);
    insert.bind(run.hello.dump()).bind(run.started_at).bind(run.wall_seconds).bind(run.environment.dump()).step();
    const std::int64_t id = db_.last_id();
    for (const std::string &tag : run.tags)
        add_tag(db_, tag, id);
    return id;
}

bool Store::holds(const StoredRun &run) {
    const std::lock_guard lock(mutex_);
    Statement select(db_, "SELECT 1 FROM runs WHERE cell = ? AND ended = ? AND started_at = ? AND record IS ?");
    select.bind(run.cell).bind(run.ended).bind(run.started_at);
    if (run.ended == "done")
        select.bind(Json(run.record).dump());
    else
        select.bind(nullptr);
    return select.step();
}

void Store::visit(const RunQuery &query, const std::function<void(const StoredRun &)> &visitor) {
    const std::lock_guard lock(mutex_);
    Statement select(db_, fmt::format("SELECT {} FROM runs{}{}", run_columns, where(query), order(query)));
    for (bind_query(select, query); select.step();)
        visitor(read_run(select));
}

std::vector<StoredRun> Store::find(const RunQuery &query) {
    std::vector<StoredRun> runs;
    visit(query, [&](const StoredRun &run) { runs.push_back(run); });
    return runs;
}

std::int64_t Store::tag(const RunQuery &query, const std::string &name) {
    check_tag(name);
    const std::lock_guard lock(mutex_);
    Statement insert(db_, "INSERT OR IGNORE INTO tags (name, run) SELECT ?, id FROM runs" + where(query));
    bind_query(insert.bind(name), query).step();
    return db_.changes();
}

std::int64_t Store::tag(std::span<const std::int64_t> runs, const std::string &name) {
    check_tag(name);
    const std::lock_guard lock(mutex_);
    Statement insert(db_, "INSERT OR IGNORE INTO tags (name, run) SELECT ?, id FROM runs WHERE id IN (SELECT value FROM json_each(?))");
    insert.bind(name).bind(Json(runs).dump()).step();
    return db_.changes();
}

std::int64_t Store::untag(const RunQuery &query, const std::string &name) {
    const std::lock_guard lock(mutex_);
    Statement remove(db_, "DELETE FROM tags WHERE name = ? AND run IN (SELECT id FROM runs" + where(query) + ")");
    bind_query(remove.bind(name), query).step();
    return db_.changes();
}

std::int64_t Store::remove(const RunQuery &query) {
    const std::lock_guard lock(mutex_);
    Statement remove(db_, "DELETE FROM runs" + where(query));
    bind_query(remove, query).step();
    return db_.changes();
}

std::vector<std::pair<std::string, std::int64_t>> Store::tags() {
    const std::lock_guard lock(mutex_);
    std::vector<std::pair<std::string, std::int64_t>> counts;
    for (Statement select(db_, "SELECT name, count(*) FROM tags GROUP BY name"); select.step();)
        counts.emplace_back(select.text(0), select.integer(1));
    return counts;
}

std::string Store::keep_text(const std::string &text) {
    const std::string hash = sha256_hex(text);
    const std::lock_guard lock(mutex_);
    Statement(db_, "INSERT OR IGNORE INTO texts (hash, text) VALUES (?, ?)").bind(hash).bind(text).step();
    return hash;
}

std::optional<std::string> Store::find_text(const std::string &hash) {
    const std::lock_guard lock(mutex_);
    Statement select(db_, "SELECT text FROM texts WHERE hash = ?");
    return select.bind(hash).step() ? std::optional(select.text(0)) : std::nullopt;
}

std::int64_t Store::save_comparison(const StoredComparison &comparison) {
    const std::lock_guard lock(mutex_);
    Statement(db_, "INSERT INTO comparisons (made_at, command, report, runs) VALUES (?, ?, ?, ?)")
        .bind(comparison.made_at)
        .bind(comparison.command)
        .bind(comparison.report.dump())
        .bind(Json{{"a", comparison.runs_a}, {"b", comparison.runs_b}}.dump())
        .step();
    return db_.last_id();
}

std::optional<StoredComparison> Store::find_comparison(std::int64_t id) {
    const std::lock_guard lock(mutex_);
    Statement select(db_, std::string("SELECT id, made_at, command, report, runs FROM comparisons") +
                              (id ? " WHERE id = ?" : " ORDER BY id DESC LIMIT 1"));
    if (id)
        select.bind(id);
    if (!select.step())
        return std::nullopt;
    return read_comparison(select, db_.path());
}

std::vector<ComparisonSummary> Store::comparisons(std::int64_t newest) {
    const std::lock_guard lock(mutex_);
    std::vector<ComparisonSummary> all;
    Statement select(db_, "SELECT id, made_at, command, coalesce(report ->> '$.verdict', 'none') FROM comparisons "
                          "ORDER BY id DESC LIMIT ?");
    for (select.bind(newest); select.step();)
        all.push_back({select.integer(0), select.text(1), select.text(2), select.text(3)});
    return all;
}

Error damaged_comparison(std::int64_t id, const std::filesystem::path &path, const std::string &why) {
    return usage_error(fmt::format("comparison {} of {}: damaged: {}", id, path.string(), why),
                       "make it again: 'schedlab runs compare' on its runs; 'schedlab report --list' shows the others");
}

Store open_kept_store(const std::filesystem::path &path, Access access) {
    if (!std::filesystem::exists(path))
        throw environment_error(fmt::format("run store {}: there is no such file", path.string()),
                                "'schedlab ab' makes it; another one is named by --db FILE");
    return Store(path, access);
}

} // namespace schedlab
