// SPDX-License-Identifier: GPL-2.0-or-later
// The share probe (docs/measuring.md).
#pragma once

#include "probes/probe.h"

namespace schedlab {

std::unique_ptr<Probe> make_share_probe(ProbeSetup setup);

} // namespace schedlab
