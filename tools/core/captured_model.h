// SPDX-License-Identifier: GPL-2.0-or-later
// What a real machine looks like, as the text of a machine model with the same scheduler domains.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "core/cpulist.h"
#include "core/topology.h"

namespace schedlab {

struct CapturedMachine {
    std::string processor;                     // as the machine calls it; may be empty
    std::string release;                       // of its kernel; may be empty
    Topology topology;                         // CPUs that are online
    std::vector<CpuSet> packages;              // disjoint
    std::map<std::pair<int, int>, int> distances; // between NUMA nodes, as the firmware says
    CpuSet isolated;                           // CPUs without scheduler domains (isolcpus=)
    std::vector<CpuDomains> domains;           // what its kernel built; empty if that could not be read
    std::string domains_missing;               // then: why
};

// A model for docs/machines.md's format. It is an arm64 machine whatever was captured: only a device tree can say of every
// CPU what it shares with which. CPUs are numbered anew, without holes; a comment says which was which. Where the
// captured kernel's domains are not those of the topology (partitions, a kernel without SCHED_CLUSTER), comments say so.
// Throws a usage error for more CPUs than a model can have.
std::string model_text(const CapturedMachine &captured);

} // namespace schedlab
