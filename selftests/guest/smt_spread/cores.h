/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The cores of the machine under test, in the order of their first CPUs. */
#ifndef CORES_H
#define CORES_H

#include <sched.h>
#include <stdbool.h>

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
/* Threads of the smallest core. */
int least_threads(void);
/* The machine has so many nodes, of so many cores with hyper-threads each. */
bool nodes_of(int nodes, int cores_each);
/* The first two cores of the biggest capacity. Returns why not, or NULL. */
const char *find_big(const struct core **big);
/* The biggest capacity. */
int most_capacity(void);
/* All CPUs but those of @kept, as a list. */
const char *list_without(int count, const int *kept);

#endif
