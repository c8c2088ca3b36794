// SPDX-License-Identifier: GPL-2.0-or-later
#include "core/record.h"

#include <algorithm>

#include "core/json_object.h"

namespace schedlab {

using Json = nlohmann::ordered_json;

const Metric *Record::find(std::string_view name) const {
    const auto at =
        std::find_if(metrics.begin(), metrics.end(), [name](const Metric &m) { return m.name == name; });
    return at != metrics.end() ? &*at : nullptr;
}

bool Record::comparable() const {
    return std::none_of(losses.begin(), losses.end(), [](const Loss &loss) {
        return loss.severity == Severity::data_loss && loss.count > 0;
    });
}

void to_json(Json &json, const FrameTimes &f) {
    json = Json::array({f.part, f.number, f.vsync_ns, f.start_ns, f.drawn_ns, f.completed_ns});
}

void from_json(const Json &json, FrameTimes &f) {
    if (!json.is_array() || json.size() != 6 || !json[0].is_string() ||
        !std::all_of(json.begin() + 1, json.end(), [](const Json &value) { return value.is_number_integer(); }))
        throw usage_error("record: a frame is not [part, number, vsync, start, drawn, completed]");
    f = {json[0], json[1], json[2], json[3], json[4], json[5]};
}

void to_json(Json &json, const Record &record) {
    Json metrics = Json::array(), losses = Json::array();
    for (const Metric &m : record.metrics)
        metrics.push_back({{"name", m.name},
                           {"unit", m.unit},
                           {"class", to_string(m.cls)},
                           {"direction", to_string(m.direction)},
                           {"kind", to_string(m.kind)},
                           {"value", json_number(m.value)}});
    for (const Loss &loss : record.losses)
        losses.push_back({{"source", loss.source},
                          {"count", loss.count},
                          {"severity", to_string(loss.severity)}});
    json = Json{{"load", record.load},
                {"options", record.options},
                {"seed", record.seed},
                {"emulated", record.emulated},
                {"metrics", std::move(metrics)},
                {"losses", std::move(losses)},
                {"warnings", record.warnings}};
    if (!record.frames.empty())
        json["frames"] = record.frames;
}

void from_json(const Json &json, Record &record) {
    const JsonObject in(json, "record");
    Record read;
    read.load = in.text("load");
    read.options = in.member("options");
    read.seed = in.count("seed");
    read.emulated = in.flag("emulated");
    for (const JsonObject &m : in.objects("metrics"))
        read.metrics.push_back({m.text("name"), m.text("unit"), m.parsed("class", parse_metric_class),
                                m.parsed("direction", parse_direction), m.parsed("kind", parse_metric_kind),
                                m.number("value")});
    for (const JsonObject &loss : in.objects("losses"))
        read.losses.push_back(
            {loss.text("source"), loss.count("count"), loss.parsed("severity", parse_severity)});
    read.warnings = in.texts("warnings");
    if (json.contains("frames") && !json.at("frames").is_array())
        in.refuse("frames", "must be an array");
    if (json.contains("frames"))
        read.frames = json.at("frames").get<std::vector<FrameTimes>>();
    record = std::move(read);
}

} // namespace schedlab
