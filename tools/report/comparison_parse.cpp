// SPDX-License-Identifier: GPL-2.0-or-later
// A comparison's JSON, read back. Keys came one after the other; what an older schedlab did not write is taken from what it
// wrote, or is missing and said to be.
#include <algorithm>
#include <tuple>

#include "core/json_object.h"
#include "core/stats.h"
#include "report/comparison.h"

namespace schedlab {

using Json = nlohmann::ordered_json;

namespace {

constexpr auto unknown_environment = "made by an older schedlab: what else differs between the arms was not written down; 'runs compare' "
                                     "on their runs tells it";

template <class Enum> Enum parse_name(std::string_view text, std::initializer_list<Enum> all) {
    for (const Enum value : all)
        if (to_string(value) == text)
            return value;
    throw usage_error("'" + std::string(text) + "' is not known");
}

Verdict parse_verdict(std::string_view text) {
    return parse_name(text, {Verdict::better, Verdict::worse, Verdict::same, Verdict::unknown});
}

bool has(const JsonObject &in, std::string_view key) {
    return std::ranges::any_of(in.keys(), [&](const std::string &k) { return k == key; });
}

// `seeds` of both arms stood beside them once.
ReportedArm parse_arm(const JsonObject &in, const JsonObject &comparison) {
    ReportedArm arm;
    arm.title = in.text("title");
    arm.kernel = in.text("kernel");
    const JsonObject features = in.object("features");
    for (const std::string &name : features.keys())
        arm.features[name] = features.flag(name);
    arm.seeds = (has(in, "seeds") ? in : comparison).counts("seeds");
    return arm;
}

std::optional<Interval> parse_interval(const Json &interval) {
    return interval.is_null() ? std::nullopt : std::optional(Interval{interval.at(0).get<double>(), interval.at(1).get<double>()});
}

// What had no kind yet: shares are called so, and counts had no unit.
MetricKind kind_by_name(const Metric &metric) {
    if (metric.unit != "1")
        return MetricKind::value;
    return metric.name.ends_with(".share") ? MetricKind::share : MetricKind::count;
}

// Before `moved` was written it followed from the rest.
bool has_moved(const Comparison &c) {
    return c.interval && c.interval->excludes_zero() && c.verdict != Verdict::same && c.verdict != Verdict::unknown;
}

double mean_change_of(const Comparison &c) {
    return told(c.scale, mean(on_scale(c.scale, c.b)) - mean(on_scale(c.scale, c.a)));
}

Comparison parse_metric(const JsonObject &in) {
    Comparison c;
    c.metric = {in.text("name"), in.text("unit"), in.parsed("class", parse_metric_class), in.parsed("direction", parse_direction)};
    c.metric.kind = has(in, "kind") ? in.parsed("kind", parse_metric_kind) : kind_by_name(c.metric);
    c.primary = in.flag("primary");
    for (const auto &[name, values, median] : {std::tuple("a", &c.a, &c.median_a), std::tuple("b", &c.b, &c.median_b)}) {
        const JsonObject arm = in.object(name);
        *values = arm.member("values").get<std::vector<double>>();
        *median = arm.number("median");
        if (values->empty())
            arm.refuse("values", "has none");
    }
    c.scale = in.parsed("scale", [](std::string_view text) {
        return parse_name(text, {Scale::difference, Scale::relative});
    });
    c.change = in.number("change");
    c.interval = parse_interval(in.member("interval"));
    c.p = in.number("p");
    if (!in.member("verdict").is_null())
        c.verdict = in.parsed("verdict", parse_verdict);
    c.reason = in.text("reason");
    c.moved = has(in, "moved") ? in.flag("moved") : has_moved(c);
    c.mean_change = has(in, "mean_change") ? in.number("mean_change") : mean_change_of(c);
    if (has(in, "mean_interval"))
        c.mean_interval = parse_interval(in.member("mean_interval"));
    if (has(in, "boots_to_settle"))
        c.boots_to_settle = in.number("boots_to_settle");
    if (has(in, "detectable"))
        c.detectable = in.number("detectable");
    if (has(in, "noise"))
        c.noise = Noise{in.object("noise").number("change"), in.object("noise").member("again").get<std::vector<double>>()};
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
    report.a = parse_arm(in.object("arms").object("a"), in);
    report.b = parse_arm(in.object("arms").object("b"), in);
    report.domains = in.member("domains").get<std::vector<CpuDomains>>();
    report.looks = has(in, "looks") ? std::size_t(in.count("looks")) : 0;
    for (const JsonObject &metric : in.objects("metrics"))
        report.metrics.push_back(parse_metric(metric));
    report.warnings = in.texts("warnings");
    for (const JsonObject &lost : in.objects("losses"))
        report.losses.push_back({lost.text("arm"), lost.count("seed"), {lost.text("source"), lost.count("count"), Severity::info}});
    if (has(in, "environment")) {
        report.environment = parse_differences(in, "environment");
        report.configuration = parse_differences(in, "configuration");
    } else {
        report.warnings.push_back(unknown_environment);
    }
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
