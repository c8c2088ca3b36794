// SPDX-License-Identifier: GPL-2.0-only
// Which CPUs are idle: those that run their idle task and have not been given a task since. Kept from
// attach() on, and known of a CPU from its first switch on, which the owner brings about by visiting it. A
// CPU that is offline, on its way up or down, or isolated is never idle here: the scheduler places nothing on
// it.
#pragma once

#include "bpf/scope.h"

struct probe_cpus idle;
__u8 apart[probe_max_cpus]; // enum probe_apart

// The word of `idle` that holds the CPU's bit.
static __always_inline __u64 *idle_word(__u32 cpu)
{
    return &idle.word[cpu_index(cpu) / 64];
}

static __always_inline bool is_idle(__u32 cpu)
{
    return cpu < probe_max_cpus && *idle_word(cpu) >> cpu % 64 & 1;
}

// True if that changes it.
static __always_inline bool set_idle(__u32 cpu, bool now_idle)
{
    __u64 *word = idle_word(cpu), bit = 1ULL << cpu % 64;
    if (cpu >= probe_max_cpus || !!(*word & bit) == now_idle)
        return false;
    __u64 before = now_idle ? __sync_fetch_and_or(word, bit) : __sync_fetch_and_and(word, ~bit);
    return !!(before & bit) != now_idle;
}

static __always_inline bool is_apart(__u32 cpu)
{
    return apart[cpu_index(cpu)];
}

// For sched_switch: what it makes of this CPU. True if it was or is idle.
static __always_inline bool idle_switch(__u32 cpu, struct task_struct *prev, struct task_struct *next)
{
    if (next->pid != 0)
        return set_idle(cpu, false);
    return set_idle(cpu, !is_apart(cpu));
}

// For cpuhp_enter, raised for each state a CPU passes on its way down (target below the state) or up. From
// CPUHP_AP_ACTIVE on, the scheduler places tasks on it.
static __always_inline void idle_hotplug(__u32 cpu, int target, int state)
{
    if (cpu >= probe_max_cpus)
        return;
    bool away = target < state || state < (int)bpf_core_enum_value(enum cpuhp_state, CPUHP_AP_ACTIVE);
    __u8 *why = &apart[cpu_index(cpu)];
    *why = away ? *why | apart_offline : *why & ~apart_offline;
}

// Of masks of CPUs as many words are looked at as the machine has CPUs for.
const volatile __u32 cpu_words = probe_cpu_words;

static __always_inline void allowed_cpus(struct task_struct *p, struct probe_cpus *allowed)
{
    for (__u32 i = 0; i < probe_cpu_words; i++)
        allowed->word[i] = i < cpu_words ? p->cpus_ptr[i] : 0;
}

// May the task use an idle CPU of the group?
static __always_inline bool any_idle(struct task_struct *p, const struct probe_cpus *group)
{
    for (__u32 i = 0; i < probe_cpu_words && i < cpu_words; i++) {
        __u64 there = idle.word[i] & group->word[i];
        if (there && there & p->cpus_ptr[i])
            return true;
    }
    return false;
}
