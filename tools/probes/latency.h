// SPDX-License-Identifier: GPL-2.0-or-later
// The latency probe (docs/measuring.md).
#pragma once

#include "probes/probe.h"

namespace schedlab {

std::unique_ptr<Probe> make_latency_probe(ProbeSetup setup);

} // namespace schedlab
