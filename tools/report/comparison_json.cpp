// SPDX-License-Identifier: GPL-2.0-or-later
#include "report/comparison.h"

namespace schedlab {

using Json = nlohmann::ordered_json;

namespace {

Json verdict_json(const std::optional<Verdict> &verdict) {
    return verdict ? Json(std::string(to_string(*verdict))) : Json();
}

Json arm_json(const ReportedArm &arm) {
    return {{"title", arm.title}, {"kernel", arm.kernel}, {"features", arm.features}, {"seeds", arm.seeds}};
}

Json metric_json(const Comparison &c) {
    Json json = {{"name", c.metric.name},
                 {"unit", c.metric.unit},
                 {"class", std::string(to_string(c.metric.cls))},
                 {"direction", std::string(to_string(c.metric.direction))},
                 {"kind", std::string(to_string(c.metric.kind))},
                 {"primary", c.primary},
                 {"a", {{"values", c.a}, {"median", c.median_a}}},
                 {"b", {{"values", c.b}, {"median", c.median_b}}},
                 {"scale", std::string(to_string(c.scale))},
                 {"change", c.change},
                 {"interval", c.interval ? Json::array({c.interval->low, c.interval->high}) : Json()},
                 {"p", c.p},
                 {"verdict", verdict_json(c.verdict)},
                 {"reason", c.reason}};
    if (c.boots_to_settle)
        json["boots_to_settle"] = *c.boots_to_settle;
    return json;
}

Json loss_json(const ReportedLoss &lost) {
    return {{"arm", lost.arm}, {"seed", lost.seed}, {"source", lost.loss.source}, {"count", lost.loss.count}};
}

Json differences_json(const std::vector<ReportedDifference> &differences) {
    Json json = Json::array();
    for (const ReportedDifference &d : differences)
        json.push_back({{"name", d.name}, {"a", d.a}, {"b", d.b}});
    return json;
}

} // namespace

Json comparison_json(const ComparisonReport &report) {
    Json metrics = Json::array(), losses = Json::array();
    for (const Comparison &c : report.metrics)
        metrics.push_back(metric_json(c));
    for (const ReportedLoss &lost : report.losses)
        losses.push_back(loss_json(lost));
    return {{"machine", report.machine},
            {"emulated", report.emulated},
            {"base", report.base.empty() ? Json() : Json(report.base)},
            {"load", report.load},
            {"options", report.options},
            {"arms", {{"a", arm_json(report.a)}, {"b", arm_json(report.b)}}},
            {"domains", report.domains},
            {"metrics", metrics},
            {"verdict", verdict_json(conclusion(report.metrics))},
            {"warnings", report.warnings},
            {"losses", losses},
            {"environment", differences_json(report.environment)},
            {"configuration", differences_json(report.configuration)}};
}

} // namespace schedlab
