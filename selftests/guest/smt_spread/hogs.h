/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Processes that compute, and what the kernel says of them. */
#ifndef HOGS_H
#define HOGS_H

#include <sys/types.h>

#include "../harness/ktap.h"

/*
 * Some ten rounds of periodic balancing at the highest level: a task that runs
 * is moved only when several have failed to find one that waits.
 */
#define SETTLE_US 1000000
#define MOST_HOGS 8

/* Runs on @cpu when this returns, and only there until run_on() says otherwise. */
pid_t start_hog(int cpu);
int cpu_of(pid_t pid);
long long ran_ns(pid_t pid);	/* CPU time */
int migrations_of(pid_t pid);

struct hogs {
	int count;
	pid_t pids[MOST_HOGS];
};

/* Each starts on a CPU of its own, and may then go anywhere; SETTLE_US later. */
struct hogs settle_from(int count, const int *cpus);
/* Hogs on the core that has most of them. */
int most_on_a_core(const struct hogs *hogs);
/* Whether these are no more than @limit. */
enum outcome spread(const struct hogs *hogs, int limit);

#endif
