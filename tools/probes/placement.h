// SPDX-License-Identifier: GPL-2.0-or-later
// The placement probe (docs/measuring.md, "Placement ledger").
#pragma once

#include "probes/probe.h"

namespace schedlab {

std::unique_ptr<Probe> make_placement_probe(const Topology &topology, ProbeScope scope);

} // namespace schedlab
