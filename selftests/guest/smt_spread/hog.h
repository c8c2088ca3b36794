/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Processes that compute, and what the kernel says of them. */
#ifndef HOG_H
#define HOG_H

#include <sys/types.h>

/* Runs on @cpu when this returns, and only there until run_on() says otherwise. */
pid_t start_hog(int cpu);
int cpu_of(pid_t pid);
long long ran_ns(pid_t pid);	/* CPU time */
int migrations_of(pid_t pid);

#endif
