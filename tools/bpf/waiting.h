// SPDX-License-Identifier: GPL-2.0-only
// Tasks that wait for a CPU, by the address of their task_struct: a table of sets of four. A hash map would
// do, and cost several times as much on every wakeup and switch. Each task's entry is written under its run
// queue's lock; only free entries are fought over.
#pragma once

#include "bpf/scope.h"

struct waiting {
    __u64 task;  // 0: free
    __u64 since; // what the probe keeps of it
    __u64 mark;
    __u64 where;
};

static struct waiting waiting[probe_waiting_sets * probe_waiting_ways];
const volatile __u32 waiting_sets = probe_waiting_sets;

// The set that the task belongs to.
static __always_inline struct waiting *waiting_set(struct task_struct *p)
{
    __u32 low = (__u64)p; // the verifier lets no one calculate with a whole pointer
    __u32 set = (low >> 6) * 0x9e3779b1 >> 20 & (waiting_sets - 1) & (probe_waiting_sets - 1);
    return &waiting[set * probe_waiting_ways];
}

static __always_inline struct waiting *find_in(struct waiting *set, struct task_struct *p)
{
    for (int way = 0; way < probe_waiting_ways; way++)
        if (set[way].task == (__u64)p)
            return &set[way];
    return 0;
}

static __always_inline struct waiting *find_waiting(struct task_struct *p)
{
    return find_in(waiting_set(p), p);
}

// An entry of its own for a task that has none; none is left: null, and a loss.
static __always_inline struct waiting *add_to(struct waiting *set, struct task_struct *p)
{
    for (int way = 0; way < probe_waiting_ways; way++)
        if (set[way].task == 0 && __sync_val_compare_and_swap(&set[way].task, 0, (__u64)p) == 0)
            return &set[way];
    __sync_fetch_and_add(&losses.waiting_full, 1);
    return 0;
}
