// SPDX-License-Identifier: GPL-2.0-or-later
#include "store/run_json.h"

#include "core/json_object.h"
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
        run.record = in.member("record").get<Record>();
    run.hello = in.member("hello");
    run.started_at = in.text("started_at");
    run.wall_seconds = in.number("wall_seconds");
    run.environment = in.member("environment");
    for (const std::string &tag : run.tags = in.texts("tags"))
        check_tag(tag);
    return run;
}

} // namespace schedlab
