// SPDX-License-Identifier: GPL-2.0-or-later
// A finished comparison, for people and for programs.
#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "core/compare.h"
#include "core/topology.h"
#include "report/terminal.h"

namespace schedlab {

struct ReportedArm {
    std::string title;
    std::string kernel; // the image's key
    std::map<std::string, bool> features;
    std::vector<std::uint64_t> seeds; // one per boot, in the order of the metrics' values
    std::vector<std::int64_t> runs;   // their numbers in the store, likewise; not in the JSON
};

struct ReportedLoss {
    std::string arm;
    std::uint64_t seed = 0;
    Loss loss;
};

struct ComparisonReport {
    std::string machine;
    bool emulated = true;
    std::string base; // empty if the kernels were named otherwise
    ReportedArm a, b;
    std::string load;
    nlohmann::ordered_json options;
    std::vector<CpuDomains> domains; // as the guests' kernels built them and the machine's description wants them
    std::vector<Comparison> metrics;
    std::size_t looks = 0; // at which a comparison that adds boots until it is settled ended; 0: no such one
    std::vector<std::string> warnings;
    std::vector<ReportedLoss> losses;
    std::string kept_in; // for people only: where the runs are, and how many of them were there already
};

// {machine, emulated, base, load, options, arms, domains, looks, metrics, verdict, explanations, warnings, losses}, explained in
// docs/measuring.md. Nothing in it depends on when or how fast it was made.
nlohmann::ordered_json comparison_json(const ComparisonReport &report);

// The machine and its domains; a table of what decides and what the load says; the placement ledger; one sentence.
std::string comparison_text(const ComparisonReport &report, const Terminal &terminal);

} // namespace schedlab
