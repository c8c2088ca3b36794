// SPDX-License-Identifier: GPL-2.0-or-later
#include "cmd/run_list.h"

#include <fmt/format.h>

#include "lab/compare_runs.h"
#include "lab/differences.h"
#include "report/record_text.h"
#include "report/table.h"

namespace schedlab {

using Json = nlohmann::ordered_json;

namespace {

std::string member(const Json &json, const char *path) {
    const Json::json_pointer at(path);
    if (!json.contains(at))
        return {};
    const Json &value = json.at(at);
    return value.is_string() ? value.get<std::string>() : value.is_null() ? "" : value.dump();
}

// "release 6.12.117", names of nested values joined by dots.
void add_lines(const Json &json, const std::string &prefix, std::string &text) {
    for (const auto &[name, value] : json.items())
        if (value.is_object())
            add_lines(value, prefix + name + ".", text);
        else
            text += fmt::format("  {:<28} {}\n", prefix + name,
                                value.is_string() ? value.get<std::string>() : value.dump());
}

} // namespace

std::string run_list(const std::vector<StoredRun> &runs, const Terminal &terminal) {
    Table table({"run", "started", "ended", "machine", "load", "seed", "tags", "kernel"});
    for (const StoredRun &run : runs)
        table.add({{std::to_string(run.id)},
                   {run.started_at},
                   {run.ended, run.ended == "done" ? Color::none : Color::red},
                   {member(run.identity, "/machine/name")},
                   {member(run.identity, "/job/load")},
                   {member(run.identity, "/job/seed")},
                   {fmt::format("{}", fmt::join(run.tags, ","))},
                   {title_of(run)}});
    return table.render(terminal, {1, 7});
}

std::string run_text(const StoredRun &run) {
    std::string text = fmt::format("run {}: {}{}\n", run.id, run.ended,
                                   run.ended == "done" ? "" : ": " + run.message);
    Json facts = {{"started at", run.started_at},
                  {"wall seconds", run.wall_seconds},
                  {"machine", member(run.identity, "/machine/name")},
                  {"kernel", title_of(run)},
                  {"cell", run.cell},
                  {"tags", fmt::format("{}", fmt::join(run.tags, ", "))}};
    if (run.identity.contains("job"))
        facts["job"] = run.identity.at("job");
    facts["environment"] = environment_of(run);
    add_lines(facts, "", text);
    return run.ended == "done" ? text + "\n" + record_text(run.record) : text;
}

} // namespace schedlab
