// SPDX-License-Identifier: GPL-2.0-or-later
// All runs and comparisons in one SQLite file (docs/store.md documents its tables): saved one by one as they end,
// found again by their cell, so that whatever is killed loses only what had not ended.
#pragma once

#include <cstddef>
#include <filesystem>
#include <mutex>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "core/record.h"
#include "store/database.h"

namespace schedlab {

struct StoredRun {
    std::string cell;                // sha256 of `identity`
    nlohmann::ordered_json identity; // all that the run's outcome depends on
    std::string ended = "done";      // to_string(BootEnd)
    std::string message;             // of a run that did not end well
    Record record;                   // of one that did
    nlohmann::ordered_json hello;    // the guest's facts: release, topology, domains; null if it never spoke
    std::string started_at;          // UTC, ISO 8601
    double wall_seconds = 0;
};

// Safe to use from several threads and several processes at once.
class Store {
public:
    static constexpr int schema_version = 1;

    // Opens or creates it. Throws an environment error: not writable, full disk, locked, of another program, of a
    // newer schedlab.
    explicit Store(const std::filesystem::path &path);

    std::optional<StoredRun> find_done(const std::string &cell); // the newest that ended well
    void save(const StoredRun &run);
    // A comparison as it was reported (comparison_json()). `command` is what asked for it.
    void save_comparison(const std::string &made_at, const std::string &command,
                         const nlohmann::ordered_json &report);
    const std::filesystem::path &path() const { return db_.path(); }

private:
    Database db_;
    std::mutex mutex_;
};

} // namespace schedlab
