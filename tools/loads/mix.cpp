// SPDX-License-Identifier: GPL-2.0-or-later
// A process per load, so that what one forks, pins or leaves open is not another's. Counting begins when the last
// is warm, and ends when the last is done, with all tasks there: a load that is done earlier idles from then on.
#include "loads/mix.h"

#include "core/error.h"
#include "core/json_object.h"
#include "loads/instances.h"
#include "loads/work.h"

namespace schedlab {
namespace {

using Json = nlohmann::ordered_json;

struct Member {
    std::string name;
    const Load *load;
    Json options;
};

std::vector<Member> members_of(const Json &json) {
    const Json job = Json::parse(json.at("job").get<std::string>(), nullptr, false);
    if (!job.is_array() || job.empty())
        throw usage_error("load mix: no job", "--job FILE: a TOML file with a section per load (docs/loads.md)");
    std::vector<Member> members;
    for (const JsonObject &part : JsonObject::objects_of(job, "job")) {
        const Load &load = find_load(part.text("load"));
        members.push_back({part.text("name"), &load,
                         complete_options(load.options, part.member("options"), "load " + part.text("load"))});
    }
    return members;
}

void check(const Json &json) {
    for (const Member &member : members_of(json)) {
        if (member.load->name == "mix")
            throw usage_error("load mix: a mix in a mix");
        check_load(*member.load, member.options);
    }
}

LoadResult run(const Json &json, std::uint64_t seed, const LoadHooks &hooks) {
    const std::vector<Member> members = members_of(json);
    calibrate_work(); // once, and while it is quiet
    std::vector<Part> parts;
    for (const Member &member : members)
        parts.push_back([&member, seed](const LoadHooks &own) {
            return run_load(*member.load, member.options, seed, own);
        });
    const SideBySide done = run_side_by_side("mix", parts, hooks);

    LoadResult all;
    all.elapsed_ns = done.elapsed_ns;
    for (std::size_t i = 0; i < members.size(); ++i) {
        all.operations += done.results[i].operations;
        for (Metric metric : done.results[i].metrics) {
            metric.name = members[i].name + "." + metric.name;
            all.metrics.push_back(std::move(metric));
        }
        for (FrameTimes frame : done.results[i].frames) {
            frame.part = frame.part.empty() ? members[i].name : members[i].name + "." + frame.part;
            all.frames.push_back(std::move(frame));
        }
    }
    return all;
}

} // namespace

Load mix_load() {
    return {"mix",
            "several loads at once, each in a process of its own, from a small file",
            {{"job", 'j', OptionType::text, "", 0, 0, "TOML file: a section per load, [global] for all"}},
            check,
            run,
            {"migrations"}};
}

} // namespace schedlab
