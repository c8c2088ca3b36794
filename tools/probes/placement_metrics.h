// SPDX-License-Identifier: GPL-2.0-or-later
// The pure half of the placement probe: the steps BPF is to count, and the metrics its counts mean.
#pragma once

#include <span>
#include <vector>

#include "bpf/placement.h"
#include "core/metric.h"
#include "core/topology.h"

namespace schedlab {

// The number of the step from one CPU to another (bpf/placement.h). Both must be in `topology`.
unsigned char placement_step(const Topology &topology, int from, int to);

// `counts` of several CPUs as one.
placement_counts sum_counts(std::span<const placement_counts> counts);

// The ledger. Shares are left out when there was no wakeup, and rows about capacity where all CPUs are equal.
std::vector<Metric> placement_metrics(const placement_counts &counts, bool asymmetric);

} // namespace schedlab
