/* SPDX-License-Identifier: GPL-2.0-only */
/* What the waste programs count, shared between BPF (C) and user space (C++). */
#pragma once

#include "bpf/probe.h"

/* Groups of CPUs, small to large. A group is known by its first CPU's number. */
enum waste_level { waste_core, waste_cluster, waste_llc, waste_node, waste_machine, waste_levels };

struct waste_waits {
    unsigned long long count, waited_ns, wasted_ns;
};
