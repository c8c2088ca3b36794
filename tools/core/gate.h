// SPDX-License-Identifier: GPL-2.0-or-later
// "No worse than the base, within a margin": a test of non-inferiority per metric. It passes what is shown, and does not
// pass what is not: too few boots are no permission.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/compare.h"

namespace schedlab {

struct GateRule {
    std::string metric;
    double margin = 0.01; // how much worse is still good enough, as CompareRules::margin
};

enum class GateOutcome {
    passed,   // the 95 % interval ends before the margin
    failed,   // it lies wholly beyond the margin
    undecided // neither
};
std::string_view to_string(GateOutcome);

struct GateResult {
    GateRule rule;
    GateOutcome outcome = GateOutcome::undecided;
    std::string reason; // "within 2 %: -1.3 % .. +0.4 %"
};

// "ops_per_sec", or with a margin of its own "ops_per_sec:2%"; `margin` is that of a rule without one. Throws a usage error.
GateRule parse_gate_rule(const std::string &text, double margin);
double parse_margin(const std::string &text); // "2%" is 0.02; throws a usage error

// A result per rule. Throws usage errors: a metric that was not compared, that has no worse side, or that gets no
// verdict where it was measured.
std::vector<GateResult> gate(std::span<const Comparison> comparisons, std::span<const GateRule> rules, bool emulated);

} // namespace schedlab
