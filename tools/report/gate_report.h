// SPDX-License-Identifier: GPL-2.0-or-later
// What a gate says: to people, as KTAP to kernel test harnesses, as JUnit's XML to CI servers.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "core/gate.h"
#include "report/terminal.h"

namespace schedlab {

struct GateReport {
    std::string subject;          // "stock -> patched, pipe on hikey960"
    std::vector<GateResult> results;
    bool lenient = false;         // what is undecided is skipped, not failed
    std::vector<std::string> warnings;

    bool passed() const;
};

std::string gate_text(const GateReport &report, const Terminal &terminal);
std::string gate_ktap(const GateReport &report);
std::string gate_junit(const GateReport &report);

} // namespace schedlab
