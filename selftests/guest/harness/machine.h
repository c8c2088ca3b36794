/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The machine under test: what a test may do to it. */
#ifndef MACHINE_H
#define MACHINE_H

#include <sched.h>

cpu_set_t cpus_of(int count, const int *cpus);
cpu_set_t all_cpus(void);

void offline(int cpu);
/* Goes through the motions of offline() without any effect on the scheduler. */
void fail_offline(int cpu);

/*
 * Makes partition number @partition, 0 to 7, a child of the cgroup root, of
 * @cpus, in list format. @type: "root": with scheduler domains of its own,
 * "isolated": without any. Returns why it cannot be had, or NULL.
 */
const char *make_partition(int partition, const char *type, const char *cpus);
void join_partition(int partition);
/* Waits until the processes that were killed in it have left. */
void remove_partition(int partition);

/* All CPUs online, no partition. */
void restore_machine(void);

#endif
