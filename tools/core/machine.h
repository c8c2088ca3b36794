// SPDX-License-Identifier: GPL-2.0-or-later
// A machine model: which CPUs, caches and NUMA nodes an emulated machine has, and which scheduler
// domains a kernel must build on it. Models are data files (tools/machines/NAME.conf; format in
// docs/machines.md).
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "core/cpulist.h"
#include "core/timing.h"
#include "core/topology.h"

namespace schedlab {

struct CapacityEdit {
    CpuSet cpus;
    int dmips_mhz = 1024; // the device tree's capacity-dmips-mhz
};

struct CacheEdit {
    int level = 2;  // 2 or 3, unified
    CpuSet cpus;    // the CPUs that share this cache
};

// The device tree's cpu-map: disjoint groups of CPUs, cores within clusters within packages. A core in no
// cluster, a CPU in no core stands alone; without any package QEMU's own map stays.
struct CpuMap {
    std::vector<CpuSet> packages, clusters, cores;
};

struct ExpectedSpan {
    CpuSet cpus; // these CPUs
    CpuSet span; // have a domain of this span; below NUMA the same set
};

// A level expected for some CPUs. Several names are alternatives over kernel versions
// ("DIE", "PKG"); each flag is a set of alternatives likewise; flags not named here are not checked.
struct ExpectedDomain {
    std::vector<std::string> names;
    std::vector<ExpectedSpan> spans; // a CPU of none of them must not have the level
    std::vector<std::vector<std::string>> flags;
    std::vector<std::vector<std::string>> absent_flags; // none of these may be set
};

struct Machine {
    std::string name;
    std::string summary;
    std::string arch; // "arm64" or "x86_64"
    int cpus = 0;
    int memory_mib = 0;
    std::vector<std::string> qemu_args; // -M, -cpu, -smp, -numa ...; the clock, seeds and devices are added by boot/
    std::string command_line;           // appended to the kernel's
    std::vector<CapacityEdit> capacities;
    std::vector<CacheEdit> caches;
    CpuMap cpu_map;
    std::vector<ExpectedDomain> domains; // lowest level first
    std::vector<int> cpu_capacity;       // expected cpu_capacity of each CPU; empty = not checked
    std::optional<Timing> timing;        // what things take on it, if that is known
    bool modelled = false;               // chosen for a run: time as `timing` says, on schedlab's own emulator
};

// Parses the text of a model. `origin` is named in errors, with the key. Throws a usage error.
Machine parse_machine(const std::string &text, const std::string &name, const std::string &origin);

// The differences between what `machine` expects and what a kernel built, one line each ("cpu 3: expected
// MC 0-3, found MC 0-7"); empty if the model is true.
std::vector<std::string> truth_check(const Machine &machine, const Topology &found,
                                     const std::vector<CpuDomains> &domains);

} // namespace schedlab
