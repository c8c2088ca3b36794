// SPDX-License-Identifier: GPL-2.0-or-later
// Runs → a comparison, whether they have just been made, come out of the store or were imported.
#pragma once

#include <string>
#include <vector>

#include "core/compare.h"
#include "report/comparison.h"
#include "store/store.h"

namespace schedlab {

// One side: runs of one kernel with one set of features, on one machine, under one load with one set of options.
struct ArmRuns {
    ReportedArm arm;
    std::vector<StoredRun> runs; // each of another boot, by seed
    std::string configuration;   // the kernel's .config; empty if it is not known
};

// `runs` as an arm called `name` in errors ("a: stock"). Of a cell that was run several times the newest run counts: the
// others are no boots of their own. Throws a run error if none ended well, a usage error if there is none or they do not belong together.
// `store`, if there is one, knows the kernel's configuration.
ArmRuns arm_of(const std::string &name, std::vector<StoredRun> runs, Store *store = nullptr);

std::vector<Record> records_of(const ArmRuns &arm);

// Kernel and features of a run, as arms are called: "6.12.117, ASYM_PREV on"; `unknown` for a kernel nobody named.
std::string title_of(const StoredRun &run, const std::string &unknown = "");

// The metrics that decide: the load's own, or, of a log that has none of these, those of the log's format.
std::vector<std::string> primary_metrics(const Record &record);

// The metrics that decide about these arms: those that were `named`, else primary_metrics(). Throws a usage error for a name
// that a run lacks or that can have no verdict: nothing would decide, and nobody would notice.
std::vector<std::string> deciding_metrics(const ArmRuns &a, const ArmRuns &b, const std::vector<std::string> &named);

// Throws a usage error if one boot is in both arms.
void refuse_shared_boots(const ArmRuns &a, const ArmRuns &b);

// Throws a usage error if the arms' loads differ or only one was emulated; other differences are warnings.
ComparisonReport compare_runs(const ArmRuns &a, const ArmRuns &b, const CompareRules &rules);

} // namespace schedlab
