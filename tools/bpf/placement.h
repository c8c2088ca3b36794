/* SPDX-License-Identifier: GPL-2.0-only */
/* What the placement programs count, shared between BPF (C) and user space (C++). */
#pragma once

#include "bpf/probe.h"

/* A step from one CPU to another: 3 * distance + capacity, where distance is the value of
 * schedlab::Distance and capacity is 0 equal, 1 up (to a bigger CPU), 2 down. */
enum { placement_steps = 18, placement_unknown_cpu = 0xff };
enum placement_capacity { capacity_equal, capacity_up, capacity_down };
enum { distance_llc = 3 };

/* Why a task changed CPU; docs/measuring.md tells the criteria, which stand in cause_of(). */
enum placement_cause {
    cause_wakeup,
    cause_exec,
    cause_balance,
    cause_affinity,
    cause_hotplug,
    placement_causes
};

/* What a wakeup's choice missed; docs/measuring.md tells the criteria, which stand in count_missed() and
 * on_wakeup(). */
enum placement_miss { miss_prev, miss_cluster, miss_idle, miss_stacked, placement_misses };

/* Of one CPU: the CPU that ran the waker, the forker, or the code that migrated a task. All only grow. A wakeup
 * is first counted as staying where it was, and corrected when its task is migrated before it is queued:
 * wakeups that stayed, by waker's CPU → chosen CPU = woken - left + taken. */
struct placement_counts {
    unsigned long long woken[placement_steps];  /* wakeups, by waker's CPU → previous CPU */
    unsigned long long left[placement_steps];   /* those whose chosen CPU was not the previous one: the same step */
    unsigned long long taken[placement_steps];  /* the latter, by waker's CPU → chosen CPU */
    unsigned long long moved[placement_steps];  /* the latter, by previous CPU → chosen CPU */
    unsigned long long forked[placement_steps]; /* new tasks, by forker's CPU → first CPU */
    unsigned long long migrations[placement_causes][placement_steps];
    unsigned long long missed[placement_misses];
    unsigned long long waking;                  /* not a count: the task whose wakeup is under way here */
    unsigned long long waking_missed;           /* not a count: an idle CPU is missed (miss_idle) if it stays */
    unsigned long long waking_step;             /* not a count: where it was counted in `woken` */
    unsigned long long unused[5];               /* a multiple of 64 bytes: CPUs share no cache line */
};

/* Of one task, under the views "tasks" and "commands". */
struct placement_task {
    unsigned long long wakeups, migrations;
    unsigned long long missed[placement_misses];
    char comm[16]; /* when it was last counted */
};

/* One event as it was seen, under the view "events". */
enum placement_event_kind {
    event_waking,  /* from: the task's CPU */
    event_migrate, /* from, to */
    event_wakeup,  /* from: the CPU that it waits on */
    event_fork,    /* from: its first CPU */
    event_switch,  /* cpu runs the task from now on, its idle task if pid is 0 */
    event_hotplug, /* from: the CPU; to: 1 if it is on its way down, or not up yet */
    placement_event_kinds
};

enum placement_event_flag {
    event_counted = 1, /* between start and stop */
    event_in_scope = 2,
    event_on_rq = 4,
    event_on_cpu = 8,
    event_is_waking = 16, /* TASK_WAKING */
    event_in_execve = 32,
    event_flags = 6
};

struct placement_event {
    unsigned long long time_ns, task;
    struct probe_cpus allowed;
    unsigned int pid, cpu, from, to, utilization;
    unsigned char kind, flags;
};
