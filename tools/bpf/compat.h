// SPDX-License-Identifier: GPL-2.0-only
// What differs between kernels, asked of the running kernel's BTF, and what its states mean. Nothing else in
// tools/bpf knows of versions.
#pragma once

#include "bpf/probe.h"
#include "bpf/types.h"

#include <bpf/bpf_core_read.h>
#include <bpf/bpf_helpers.h>

// A CPU's number as an index. clang must not know that it was checked, or it leaves out the mask, and older verifiers
// (6.1's), which have forgotten the check by then, refuse the program.
static __always_inline __u32 cpu_index(__u32 cpu)
{
    barrier_var(cpu);
    return cpu & (probe_max_cpus - 1);
}

// Before 2f064a59a11f ("sched: Change task_struct::state", 5.14) the state was a long of another name.
struct task_struct___before_5_14 {
    volatile long state;
} __attribute__((preserve_access_index));

static __always_inline unsigned int task_state(struct task_struct *task)
{
    if (bpf_core_field_exists(task->__state))
        return task->__state;
    return (unsigned int)((struct task_struct___before_5_14 *)task)->state;
}

// Before bcf9033e5449 ("sched: move CPU field back into thread_info if THREAD_INFO_IN_TASK=y", 5.16) arm64
// and x86 kept it in the task itself.
struct task_struct___before_5_16 {
    unsigned int cpu;
} __attribute__((preserve_access_index));

static __always_inline __u32 task_cpu(struct task_struct *task)
{
    if (bpf_core_field_exists(task->thread_info.cpu))
        return task->thread_info.cpu;
    return ((struct task_struct___before_5_16 *)task)->cpu;
}

// Set by try_to_wake_up() alone, from before it chooses a CPU until the task is queued (since 3.x; the
// value is TASK_WAKING in include/linux/sched.h of 6.1, 6.12 and 7.3).
#define TASK_WAKING 0x200

// Is the task inside execve(2)? A kernel without this bit never says so: its exec balancing then counts as
// load balancing.
static __always_inline bool task_in_execve(struct task_struct *task)
{
    return bpf_core_field_exists(task->in_execve) && BPF_CORE_READ_BITFIELD(task, in_execve);
}

// The CPUs a task may use now: one CPU while its migration is disabled.
static __always_inline bool task_allows(struct task_struct *task, __u32 cpu)
{
    const int bits = 8 * sizeof(unsigned long);
    unsigned long word = 0;
    bpf_probe_read_kernel(&word, sizeof(word), task->cpus_ptr + cpu / bits);
    return word >> (cpu % bits) & 1;
}

// What the scheduler takes for a task's utilization (task_util_est() in kernel/sched/fair.c). Before 11137d384996
// ("sched/fair: Simplify util_est", 6.8) the estimate had two parts. The top bit is a flag.
struct util_est {
    unsigned int enqueued;
    unsigned int ewma;
} __attribute__((preserve_access_index));

struct sched_avg___before_6_8 {
    struct util_est util_est;
} __attribute__((preserve_access_index));

static __always_inline __u64 task_utilization(struct task_struct *task)
{
    const __u64 flag = 0x80000000;
    __u64 average = task->se.avg.util_avg, estimate;
    if (bpf_core_type_exists(struct util_est)) {
        struct sched_avg___before_6_8 *avg = (void *)&task->se.avg;
        __u64 enqueued = avg->util_est.enqueued & ~flag, ewma = avg->util_est.ewma;
        estimate = enqueued > ewma ? enqueued : ewma;
    } else {
        estimate = task->se.avg.util_est & ~flag;
    }
    return average > estimate ? average : estimate;
}
