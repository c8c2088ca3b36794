// SPDX-License-Identifier: GPL-2.0-or-later
// A run of the store as JSON: a line of what `runs export` writes.
#pragma once

#include "store/store.h"

namespace schedlab {

// {schedlab: "run", id, cell, identity, ended, message, record, hello, started_at, wall_seconds, environment, tags};
// record is null unless the run ended well.
nlohmann::ordered_json run_json(const StoredRun &run);
// `where` is named in errors ("runs.jsonl:3"). Throws a usage error for what is no run, or one whose cell is not that of
// its identity. The id is not taken over: each store gives its own.
StoredRun parse_run(const nlohmann::ordered_json &json, const std::string &where);

} // namespace schedlab
