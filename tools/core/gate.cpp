// SPDX-License-Identifier: GPL-2.0-or-later
#include "core/gate.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fmt/format.h>

#include "core/error.h"
#include "core/nearest.h"

namespace schedlab {

namespace {

const Comparison &find_metric(std::span<const Comparison> comparisons, const std::string &name) {
    const auto found =
        std::ranges::find_if(comparisons, [&](const Comparison &c) { return c.metric.name == name; });
    if (found != comparisons.end())
        return *found;
    std::vector<std::string> names;
    for (const Comparison &c : comparisons)
        names.push_back(c.metric.name);
    const std::string near = nearest(name, names);
    throw usage_error("gate: the runs have no metric '" + name + "'",
                      near.empty() ? "'schedlab runs show' lists a run's metrics" : "did you mean " + near + "?");
}

void refuse_what_cannot_fail(const Comparison &c, bool emulated) {
    if (!has_verdicts(c.metric, emulated))
        throw usage_error("gate: " + c.metric.name + " is time, and the runs were emulated",
                          "name a metric that is sound there: a count or share of the ledger, insn_per_op");
    if (c.metric.direction == Direction::neutral)
        throw usage_error("gate: neither more nor less of " + c.metric.name + " is worse",
                          "name a metric with a better side");
}

std::string told(const Comparison &c, double value, bool with_sign) {
    const char *sign = with_sign && value > 0 ? "+" : "";
    if (c.scale == Scale::relative)
        return fmt::format("{}{:.1f} %", sign, 100 * value);
    if (c.metric.kind == MetricKind::share)
        return fmt::format("{}{:.1f} pp", sign, 100 * value);
    return fmt::format("{}{:.4g}", sign, value);
}

GateResult decide(const Comparison &c, const GateRule &rule) {
    GateResult result{rule};
    const double margin = margin_of(c, {.margin = rule.margin});
    if (std::min(c.a.size(), c.b.size()) < fewest_boots) {
        result.reason = fmt::format("fewer than {} boots per arm", fewest_boots);
    } else if (c.a == c.b) {
        result.outcome = GateOutcome::passed;
        result.reason = "identical in every boot";
    } else if (!c.interval) {
        result.reason = "so few boots can exclude nothing";
    } else {
        // How much worse b may be at least and at most.
        const bool more_is_worse = c.metric.direction == Direction::lower_is_better;
        const double least = more_is_worse ? c.interval->low : -c.interval->high;
        const double most = more_is_worse ? c.interval->high : -c.interval->low;
        if (most < margin)
            result.outcome = GateOutcome::passed;
        else if (least > margin)
            result.outcome = GateOutcome::failed;
        result.reason = fmt::format("changed by {} (95 %: {} .. {}), and may be worse by {}", told(c, c.change, true),
                                    told(c, c.interval->low, true), told(c, c.interval->high, true),
                                    told(c, margin, false));
    }
    return result;
}

} // namespace

std::string_view to_string(GateOutcome outcome) {
    switch (outcome) {
    case GateOutcome::passed: return "passed";
    case GateOutcome::failed: return "failed";
    case GateOutcome::undecided: break;
    }
    return "undecided";
}

double parse_margin(const std::string &text) {
    double percent = 0;
    const char *end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, percent);
    if (error != std::errc{} || std::string_view(stop, end) != "%" || !std::isfinite(percent) ||
        percent < 0)
        throw usage_error("margin '" + text + "': not a percentage", "write it as 2% or 0.5%");
    return percent / 100;
}

GateRule parse_gate_rule(const std::string &text, double margin) {
    const std::size_t colon = text.find(':');
    if (colon == std::string::npos)
        return {text, margin};
    return {text.substr(0, colon), parse_margin(text.substr(colon + 1))};
}

std::vector<GateResult> gate(std::span<const Comparison> comparisons, std::span<const GateRule> rules, bool emulated) {
    std::vector<GateResult> results;
    for (const GateRule &rule : rules) {
        const Comparison &c = find_metric(comparisons, rule.metric);
        refuse_what_cannot_fail(c, emulated);
        results.push_back(decide(c, rule));
    }
    return results;
}

} // namespace schedlab
