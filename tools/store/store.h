// SPDX-License-Identifier: GPL-2.0-or-later
// All runs and comparisons in one SQLite file (docs/store.md documents its tables): saved one by one as they end,
// found again by their cell, so that whatever is killed loses only what had not ended.
#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <mutex>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/error.h"
#include "core/record.h"
#include "store/database.h"
#include "store/run_query.h"

namespace schedlab {

struct StoredRun {
    std::int64_t id = 0;                // given by the store
    std::string cell;                   // sha256 of `identity`
    nlohmann::ordered_json identity;    // all that the run's outcome depends on
    std::string ended = "done";         // to_string(BootEnd)
    std::string message;                // of a run that did not end well
    Record record;                      // of one that did
    nlohmann::ordered_json hello;       // the guest's facts: release, topology, domains; null if it never spoke
    std::string started_at;             // UTC, ISO 8601
    double wall_seconds = 0;
    nlohmann::ordered_json environment = nlohmann::ordered_json::object(); // what else was known of it (docs/store.md)
    std::vector<std::string> tags;      // sorted; save() gives the run these
};

struct StoredComparison {
    std::int64_t id = 0;
    std::string made_at;                      // UTC, ISO 8601
    std::string command;                      // the command line that asked for it
    nlohmann::ordered_json report;            // as it was reported: comparison_json()
    std::vector<std::int64_t> runs_a, runs_b; // the runs it is of, in the order of the report's values
};

struct ComparisonSummary {
    std::int64_t id = 0;
    std::string made_at, command, verdict;
};

class Store;

// What another program made of a kept comparison is none: a usage error.
Error damaged_comparison(std::int64_t id, const std::filesystem::path &path, const std::string &why);

// A store that is not there is an environment error, and no empty one is made.
Store open_kept_store(const std::filesystem::path &path, Access access = Access::read);

// Safe to use from several threads and several processes at once.
class Store {
public:
    // For writing: opens or creates it. Throws an environment error: not writable, full disk, locked, of another program,
    // of a newer schedlab.
    explicit Store(const std::filesystem::path &path, Access access = Access::write);

    std::optional<StoredRun> find_done(const std::string &cell); // the newest that ended well
    std::int64_t save(const StoredRun &run);                     // → its id
    void save(std::span<const StoredRun> runs);                  // all or none
    bool holds(const StoredRun &run); // one of the same cell, start, end and record
    // Runs one by one, oldest first (`newest` runs: newest first). The visitor may not use the store.
    void visit(const RunQuery &query, const std::function<void(const StoredRun &)> &visitor);
    std::vector<StoredRun> find(const RunQuery &query);

    // Each returns how many runs it changed.
    std::int64_t tag(const RunQuery &query, const std::string &name);
    std::int64_t tag(std::span<const std::int64_t> runs, const std::string &name);
    std::int64_t untag(const RunQuery &query, const std::string &name);
    std::int64_t remove(const RunQuery &query);
    std::vector<std::pair<std::string, std::int64_t>> tags(); // with how many runs each has

    // A text that many runs share, such as a kernel's configuration, kept once → its sha256.
    std::string keep_text(const std::string &text);
    std::optional<std::string> find_text(const std::string &hash);

    std::int64_t save_comparison(const StoredComparison &comparison); // → its id
    std::optional<StoredComparison> find_comparison(std::int64_t id); // 0: the newest
    std::vector<ComparisonSummary> comparisons(std::int64_t newest);
    const std::filesystem::path &path() const { return db_.path(); }
    bool writable() const { return db_.writable(); }

private:
    std::int64_t insert(const StoredRun &run);

    Database db_;
    std::mutex mutex_;
};

} // namespace schedlab
