// SPDX-License-Identifier: GPL-2.0-or-later
// The placement probe (docs/measuring.md, "The placement ledger").
#pragma once

#include "probes/probe.h"

namespace schedlab {

std::unique_ptr<Probe> make_placement_probe(ProbeSetup setup);

} // namespace schedlab
