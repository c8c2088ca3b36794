/* SPDX-License-Identifier: GPL-2.0-only */
/* What the share programs count, shared between BPF (C) and user space (C++). */
#pragma once

#include "bpf/probe.h"

enum share_state { share_off, share_waits, share_runs };

/* Of one task, nanoseconds between start and stop; the state it is in since `since` is not in them yet. */
struct share_task {
    unsigned long long runs, waits, since;
    unsigned int state; /* enum share_state */
    char comm[16];
};
