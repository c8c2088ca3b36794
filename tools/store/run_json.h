// SPDX-License-Identifier: GPL-2.0-or-later
// A run of the store as JSON: a line of what `runs export` writes.
#pragma once

#include <string_view>

#include "store/store.h"

namespace schedlab {

// {schedlab: "run", id, cell, identity, ended, message, record, hello, started_at, wall_seconds, environment, tags};
// record is null unless the run ended well.
nlohmann::ordered_json run_json(const StoredRun &run);
// `where` is named in errors ("runs.jsonl:3"). Throws a usage error for what is no run, or one whose cell is not that of
// its identity. The id is not taken over: each store gives its own.
StoredRun parse_run(const nlohmann::ordered_json &json, const std::string &where);
// Likewise of a line of text.
StoredRun parse_run(const std::string &line, const std::string &where);
// A record that a file holds, not a store. Throws, beyond what is malformed, for a name that is there twice or cannot be
// printed, and for values that nothing can be computed with.
Record parse_record(const nlohmann::ordered_json &json, const std::string &where);
// What others wrote: discarded if it is no JSON, or nested deeper than any of ours, which would exhaust the stack.
nlohmann::ordered_json foreign_json(std::string_view text);

} // namespace schedlab
