/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The machine under test: its CPUs by capacity, and what a test may do to it. */
#ifndef ASYM_PREV_MACHINE_H
#define ASYM_PREV_MACHINE_H

#include <sched.h>
#include <stdbool.h>

#define CPUS_PER_KIND 4

/* The first CPUs of the smallest and of the biggest capacity, by number. */
extern int little[CPUS_PER_KIND], big[CPUS_PER_KIND];
extern int little_capacity, big_capacity;

/* Fills in the above; false if the machine has not four CPUs of two capacities. */
bool find_cpus(void);

cpu_set_t cpus_of(int count, const int *cpus);
cpu_set_t all_cpus(void);
bool is_little(int cpu);

void offline(int cpu);
/* Goes through the motions of offline() without any effect on the scheduler. */
void fail_offline(int cpu);

/*
 * Makes a partition ("root": with scheduler domains of its own, "isolated":
 * without any) of @cpus, in list format. Returns why it cannot be had, or NULL.
 */
const char *make_partition(const char *type, const char *cpus);
void join_partition(void);

/* All CPUs online, no partition. */
void restore_machine(void);

#endif
