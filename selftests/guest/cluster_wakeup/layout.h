/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The first last-level cache (LLC) of the machine, and the clusters of CPUs in it. */
#ifndef LAYOUT_H
#define LAYOUT_H

#include <sched.h>
#include <stdbool.h>

extern int clusters;		/* in the LLC; all of one size */
extern int cluster_cpus;	/* of each */
extern int core_threads;	/* CPUs of a core */

/* Fills in the above; false if there are no clusters of at least four CPUs. */
bool find_clusters(void);

/* CPU number @n of cluster @cluster, both counted from 0. */
int cpu_in(int cluster, int n);
cpu_set_t cluster_set(int cluster);
cpu_set_t llc_set(void);
cpu_set_t core_set(int cpu);

/* CPUs of different capacity. */
bool asymmetric(void);

cpu_set_t without(cpu_set_t from, cpu_set_t taken);
cpu_set_t without_cpu(cpu_set_t from, int cpu);

#endif
