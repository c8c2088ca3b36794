/* SPDX-License-Identifier: GPL-2.0-only */
/* What the placement programs count, shared between BPF (C) and user space (C++). */
#pragma once

enum {
    placement_max_cpus = 512,    /* CPU numbers below this are counted, others are a loss */
    placement_max_tasks = 32768, /* live tasks that a scope can hold */
};

/* A step from one CPU to another: 3 * distance + capacity, where distance is the value of
 * schedlab::Distance and capacity is 0 equal, 1 up (to a bigger CPU), 2 down. */
enum { placement_steps = 18, placement_unknown_cpu = 0xff };
enum placement_capacity { capacity_equal, capacity_up, capacity_down };

/* Why a task changed CPU; docs/measuring.md tells the criteria, which stand in cause_of(). */
enum placement_cause {
    cause_wakeup,
    cause_exec,
    cause_balance,
    cause_affinity,
    cause_hotplug,
    placement_causes
};

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
    unsigned long long waking;                  /* not a count: the task whose wakeup is under way here */
    unsigned long long unused[3];               /* a multiple of 64 bytes: CPUs share no cache line */
};

/* What could not be counted. */
struct placement_losses {
    unsigned long long map_full;    /* tasks of the scope that could not be remembered */
    unsigned long long unknown_cpu; /* events on a CPU that the topology does not have */
};
