// SPDX-License-Identifier: GPL-2.0-or-later
#include "store/run_json.h"

#include <fmt/format.h>
#include <set>

#include "core/json_object.h"
#include "core/magnitude.h"
#include "core/printable.h"
#include "sys/hash.h"

namespace schedlab {

using Json = nlohmann::ordered_json;

Json run_json(const StoredRun &run) {
    return {{"schedlab", "run"},
            {"id", run.id},
            {"cell", run.cell},
            {"identity", run.identity},
            {"ended", run.ended},
            {"message", run.message},
            {"record", run.ended == "done" ? Json(run.record) : Json()},
            {"hello", run.hello},
            {"started_at", run.started_at},
            {"wall_seconds", run.wall_seconds},
            {"environment", run.environment},
            {"tags", run.tags}};
}

Json foreign_json(std::string_view text) {
    constexpr int deepest = 64;
    int depth = 0;
    bool quoted = false;
    for (std::size_t i = 0; i < text.size() && depth <= deepest; ++i) {
        if (text[i] == '"')
            quoted = !quoted;
        else if (quoted)
            i += text[i] == '\\';
        else if (text[i] == '{' || text[i] == '[')
            ++depth;
        else if (text[i] == '}' || text[i] == ']')
            --depth;
    }
    return depth > deepest ? Json(Json::value_t::discarded) : Json::parse(text, nullptr, false);
}

Record parse_record(const Json &json, const std::string &where) {
    Record record;
    try {
        record = json.get<Record>();
    } catch (const Error &e) {
        throw usage_error(fmt::format("{}: {}", where, e.what()), e.remedy());
    }
    const auto refuse = [&](const std::string &name, const char *why) { throw usage_error(fmt::format("{}: metric '{}' {}", where, printable(name), why)); };
    std::set<std::string_view> names;
    for (const Metric &metric : record.metrics) {
        if (metric.name.empty() || printable(metric.name) != metric.name)
            refuse(metric.name, "has a name that cannot be printed");
        if (!names.insert(metric.name).second)
            refuse(metric.name, "is there twice");
        if (!is_measurable(metric.value))
            refuse(metric.name, "is too large or too small to be compared");
    }
    return record;
}

StoredRun parse_run(const std::string &line, const std::string &where) {
    const Json json = foreign_json(line);
    if (json.is_discarded())
        throw usage_error(where + ": no JSON", "'schedlab runs export' writes a run per line");
    return parse_run(json, where);
}

StoredRun parse_run(const Json &json, const std::string &where) {
    const JsonObject in(json, where);
    if (in.text("schedlab") != "run")
        in.refuse("schedlab", "is not \"run\"");
    StoredRun run;
    run.cell = in.text("cell");
    run.identity = in.member("identity");
    if (run.cell != sha256_hex(run.identity.dump()))
        in.refuse("cell", "is not the SHA-256 of 'identity': the line was changed");
    run.ended = in.text("ended");
    run.message = in.text("message");
    if (run.ended == "done")
        run.record = parse_record(in.member("record"), where);
    run.hello = in.member("hello");
    run.started_at = in.text("started_at");
    run.wall_seconds = in.number("wall_seconds");
    run.environment = in.member("environment");
    for (const std::string &tag : run.tags = in.texts("tags"))
        check_tag(tag);
    return run;
}

} // namespace schedlab
