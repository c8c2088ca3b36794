/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The cores of the machine under test, in the order of their first CPUs. */
#ifndef CORES_H
#define CORES_H

#include <sched.h>

#define MOST_CORES 64
#define MOST_THREADS 8

struct core {
	int cpus[MOST_THREADS];
	int threads;
	int node;
	int capacity;
};

extern struct core cores[MOST_CORES];
extern int core_count, node_count;

void find_cores(void);
int core_of(int cpu);
int cores_of_node(int node);
/* Threads of the smallest core. */
int least_threads(void);
/* The biggest capacity. */
int most_capacity(void);
/* All CPUs but those of @kept, as a list. */
const char *list_without(int count, const int *kept);

#endif
