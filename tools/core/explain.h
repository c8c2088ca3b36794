// SPDX-License-Identifier: GPL-2.0-or-later
// Why: what moved in the ledger beside a metric that decides, and whether it points the same way.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/compare.h"

namespace schedlab {

enum class Agreement {
    agrees,  // all that moved is known to push the metric the way it went
    mixed,   // some of it does
    against, // none of it does
    open,    // the ledger moved, and the metric did not, or it is not known whether it did
    none     // nothing that is known to matter moved
};
std::string_view to_string(Agreement);

struct Explanation {
    std::string metric;
    Agreement agreement = Agreement::none;
    std::string text; // a line: "ops_per_sec fell by 8.0 %; wakeups out of the cluster rose from 2.0 % to 41.0 %: agrees"
};

// One per primary metric with a verdict, in order. At most one row of each part of the ledger is told, the one that
// moved most. These are rules of thumb: they tell what went along with a change, not that it is the cause.
std::vector<Explanation> explain(std::span<const Comparison> comparisons);

} // namespace schedlab
