// SPDX-License-Identifier: GPL-2.0-or-later
#include "core/job.h"

#include "core/json_object.h"

namespace schedlab {

using Json = nlohmann::ordered_json;

void to_json(Json &json, const Job &job) {
    json = Json{{"action", job.action},
                {"load", job.load},
                {"options", job.options},
                {"probes", job.probes},
                {"features", job.features},
                {"seed", job.seed},
                {"start_delay_us", job.start_delay_us},
                {"virtual_limit_s", job.virtual_limit_s}};
}

void from_json(const Json &json, Job &job) {
    const JsonObject in(json, "job");
    Job read;
    read.action = in.text("action");
    read.load = in.text("load");
    read.options = in.member("options");
    if (!read.options.is_object() && !read.options.is_null())
        in.refuse("options", "must be an object, not " + quoted_json(read.options));
    read.probes = in.texts("probes");
    const JsonObject features = in.object("features");
    for (const std::string &name : features.keys())
        read.features[name] = features.flag(name);
    read.seed = in.count("seed");
    read.start_delay_us = std::uint64_t(in.integer("start_delay_us", 0, 1'000'000'000));
    read.virtual_limit_s = std::uint64_t(in.integer("virtual_limit_s", 1, 1'000'000));
    job = std::move(read);
}

} // namespace schedlab
