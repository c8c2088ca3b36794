// SPDX-License-Identifier: GPL-2.0-or-later
#include "report/comparison.h"

#include "core/explain.h"

namespace schedlab {

using Json = nlohmann::ordered_json;

namespace {

Json verdict_json(const std::optional<Verdict> &verdict) {
    return verdict ? Json(std::string(to_string(*verdict))) : Json();
}

Json arm_json(const ReportedArm &arm) {
    return {{"title", arm.title}, {"kernel", arm.kernel}, {"features", arm.features}, {"seeds", arm.seeds}};
}

Json interval_json(const std::optional<Interval> &interval) {
    return interval ? Json::array({interval->low, interval->high}) : Json();
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
                 {"interval", interval_json(c.interval)},
                 {"mean_change", c.mean_change},
                 {"mean_interval", interval_json(c.mean_interval)},
                 {"p", c.p},
                 {"moved", c.moved},
                 {"verdict", verdict_json(c.verdict)},
                 {"reason", c.reason}};
    if (c.boots_to_settle)
        json["boots_to_settle"] = *c.boots_to_settle;
    if (c.detectable)
        json["detectable"] = *c.detectable;
    if (c.noise)
        json["noise"] = {{"change", c.noise->change}, {"again", c.noise->again}};
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

Json explanation_json(const Explanation &e) {
    return {{"metric", e.metric}, {"agreement", std::string(to_string(e.agreement))}, {"text", e.text}};
}

} // namespace

Json comparison_json(const ComparisonReport &report) {
    Json metrics = Json::array(), explanations = Json::array(), losses = Json::array();
    for (const Comparison &c : report.metrics)
        metrics.push_back(metric_json(c));
    for (const Explanation &e : explain(report.metrics))
        explanations.push_back(explanation_json(e));
    for (const ReportedLoss &lost : report.losses)
        losses.push_back(loss_json(lost));
    return {{"machine", report.machine},
            {"emulated", report.emulated},
            {"base", report.base.empty() ? Json() : Json(report.base)},
            {"load", report.load},
            {"options", report.options},
            {"arms", {{"a", arm_json(report.a)}, {"b", arm_json(report.b)}}},
            {"domains", report.domains},
            {"looks", report.looks},
            {"metrics", metrics},
            {"verdict", verdict_json(conclusion(report.metrics))},
            {"explanations", explanations},
            {"warnings", report.warnings},
            {"losses", losses},
            {"environment", differences_json(report.environment)},
            {"configuration", differences_json(report.configuration)}};
}

} // namespace schedlab
