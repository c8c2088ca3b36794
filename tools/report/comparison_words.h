// SPDX-License-Identifier: GPL-2.0-or-later
// The words of a comparison, the same in every format.
#pragma once

#include <string>
#include <vector>

#include "core/value_words.h"
#include "report/comparison.h"

namespace schedlab {

bool is_modelled(const Comparison &c);                       // what a timing model predicts
std::string metric_words(const Comparison &c);               // "usec_per_op, us (modelled)"
std::string change_words(const Comparison &c);               // "+3.1 %", "-5997", "+2.0 pp"
std::string interval_words(const Comparison &c);             // "+1.2 .. +5.0", "-": none
// At most ten columns: "better", "unknown ~12" (boots that would settle it), "emulated", "changed", "-".
std::string verdict_words(const Comparison &c);
std::string option_words(const nlohmann::ordered_json &options); // " --loops 5 --threaded": what is set
std::string boots_words(const ComparisonReport &report);         // "5 boots per arm", "5 and 7 boots"
std::string conclusion_sentence(const ComparisonReport &report);
std::string looks_sentence(const ComparisonReport &report); // of a comparison that added boots; "": of others
std::string difference_words(const ReportedDifference &d);  // "CONFIG_HZ: 250 -> 1000"
std::string loss_words(const ReportedLoss &lost);           // "arm a, seed 3: placement.events 5"

// A row of the placement ledger that decides nothing.
bool in_ledger(const Comparison &c);
// Migrations from one CPU, or group of CPUs, to another: too many for a table, and drawn on the page's map.
bool between_cpus(const Comparison &c);
// A count whose share is in the table says the same twice; the JSON has both.
bool has_share(const Comparison &c, const std::vector<Comparison> &all);
bool is_zero(const Comparison &c); // in every boot

// The change, or another one on c's scale, as a part of the larger median (shares: of 1), so that metrics can be set
// side by side.
double relative_change(const Comparison &c);
double relative_change(const Comparison &c, double change);
// Worse, better, unknown, without a verdict, same; within these what decides, then the largest change.
std::vector<const Comparison *> worst_first(const std::vector<Comparison> &all);

} // namespace schedlab
