// SPDX-License-Identifier: GPL-2.0-or-later
#include "import/trace_order.h"

namespace schedlab {

void TraceOrder::take(const TraceEvent &event, TraceLedger &ledger) {
    waiting_.push({event, std::string(event.comm), ++taken_});
    if (waiting_.size() > window)
        give(ledger);
}

void TraceOrder::end(TraceLedger &ledger) {
    while (!waiting_.empty())
        give(ledger);
}

void TraceOrder::give(TraceLedger &ledger) {
    TraceEvent event = waiting_.top().event;
    event.comm = waiting_.top().comm;
    ledger.take(event);
    waiting_.pop();
}

} // namespace schedlab
