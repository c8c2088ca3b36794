// SPDX-License-Identifier: GPL-2.0-or-later
// Events that stand in a text nearly as they happened → in the order of their times; of the same time, in that of the text.
#pragma once

#include <cstdint>
#include <queue>
#include <string>
#include <vector>

#include "import/trace_ledger.h"

namespace schedlab {

class TraceOrder {
public:
    static constexpr std::size_t window = 1 << 16; // events: how late one may stand

    void take(const TraceEvent &event, TraceLedger &ledger); // gives it what has waited longest
    void end(TraceLedger &ledger);                           // and all that is left

private:
    struct Waiting {
        TraceEvent event; // its comm is none of its own
        std::string comm;
        std::uint64_t number = 0;
        bool operator>(const Waiting &other) const {
            return event.time_ns != other.event.time_ns ? event.time_ns > other.event.time_ns : number > other.number;
        }
    };
    void give(TraceLedger &ledger);

    std::priority_queue<Waiting, std::vector<Waiting>, std::greater<>> waiting_;
    std::uint64_t taken_ = 0;
};

} // namespace schedlab
