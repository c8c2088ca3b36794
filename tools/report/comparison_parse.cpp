// SPDX-License-Identifier: GPL-2.0-or-later
// A comparison's JSON, read back.
#include <tuple>

#include "core/json_object.h"
#include "core/stats.h"
#include "report/comparison.h"

namespace schedlab {

using Json = nlohmann::ordered_json;

namespace {

template <class Enum> Enum parse_name(std::string_view text, std::initializer_list<Enum> all) {
    for (const Enum value : all)
        if (to_string(value) == text)
            return value;
    throw usage_error("'" + std::string(text) + "' is not known");
}

Verdict parse_verdict(std::string_view text) {
    return parse_name(text, {Verdict::better, Verdict::worse, Verdict::same, Verdict::unknown});
}

ReportedArm parse_arm(const JsonObject &in) {
    ReportedArm arm;
    arm.title = in.text("title");
    arm.kernel = in.text("kernel");
    const JsonObject features = in.object("features");
    for (const std::string &name : features.keys())
        arm.features[name] = features.flag(name);
    arm.seeds = in.member("seeds").get<std::vector<std::uint64_t>>();
    return arm;
}

std::optional<Interval> parse_interval(const JsonObject &in, std::string_view key) {
    const Json &interval = in.member(key);
    return interval.is_null() ? std::nullopt : std::optional(Interval{interval.at(0).get<double>(), interval.at(1).get<double>()});
}

Comparison parse_metric(const JsonObject &in) {
    Comparison c;
    c.metric = {in.text("name"), in.text("unit"), in.parsed("class", parse_metric_class),
                in.parsed("direction", parse_direction), in.parsed("kind", parse_metric_kind), 0};
    c.primary = in.flag("primary");
    for (const auto &[name, values, median] : {std::tuple("a", &c.a, &c.median_a), std::tuple("b", &c.b, &c.median_b)}) {
        const JsonObject arm = in.object(name);
        *values = arm.member("values").get<std::vector<double>>();
        *median = arm.number("median");
    }
    c.scale = in.parsed("scale", [](std::string_view text) {
        return parse_name(text, {Scale::difference, Scale::relative});
    });
    c.change = in.number("change");
    c.interval = parse_interval(in, "interval");
    c.mean_change = in.number("mean_change");
    c.mean_interval = parse_interval(in, "mean_interval");
    c.p = in.number("p");
    c.moved = in.flag("moved");
    if (!in.member("verdict").is_null())
        c.verdict = in.parsed("verdict", parse_verdict);
    c.reason = in.text("reason");
    for (const std::string &key : in.keys())
        if (key == "boots_to_settle")
            c.boots_to_settle = in.number(key);
        else if (key == "detectable")
            c.detectable = in.number(key);
        else if (key == "noise")
            c.noise = Noise{in.object(key).number("change"), in.object(key).member("again").get<std::vector<double>>()};
    return c;
}

std::vector<ReportedDifference> parse_differences(const JsonObject &in, std::string_view key) {
    std::vector<ReportedDifference> differences;
    for (const JsonObject &d : in.objects(key))
        differences.push_back({d.text("name"), d.text("a"), d.text("b")});
    return differences;
}

ComparisonReport parse_report(const JsonObject &in) {
    ComparisonReport report;
    report.machine = in.text("machine");
    report.emulated = in.flag("emulated");
    if (!in.member("base").is_null())
        report.base = in.text("base");
    report.load = in.text("load");
    report.options = in.member("options");
    report.a = parse_arm(in.object("arms").object("a"));
    report.b = parse_arm(in.object("arms").object("b"));
    report.domains = in.member("domains").get<std::vector<CpuDomains>>();
    report.looks = std::size_t(in.count("looks"));
    for (const JsonObject &metric : in.objects("metrics"))
        report.metrics.push_back(parse_metric(metric));
    report.warnings = in.texts("warnings");
    for (const JsonObject &lost : in.objects("losses"))
        report.losses.push_back({lost.text("arm"), lost.count("seed"), {lost.text("source"), lost.count("count"), Severity::info}});
    report.environment = parse_differences(in, "environment");
    report.configuration = parse_differences(in, "configuration");
    return report;
}

} // namespace

ComparisonReport parse_comparison(const Json &json) {
    try {
        return parse_report(JsonObject(json, "comparison"));
    } catch (const Json::exception &e) {
        throw usage_error(std::string("comparison: not as schedlab writes it: ") + e.what());
    }
}

} // namespace schedlab
