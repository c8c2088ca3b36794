/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Processes that sleep, are woken, and tell where they woke; and such as keep a CPU busy. */
#ifndef ACTOR_H
#define ACTOR_H

#include <sched.h>
#include <stdbool.h>
#include <sys/types.h>

/* As fork(); the child ends with its parent. */
pid_t start_process(void);
void run_on(pid_t pid, cpu_set_t cpus);
void pin(pid_t pid, int cpu);
/* The least performance @pid asks for, 0 to 1024. False if the kernel has no clamps. */
bool clamp_min(pid_t pid, int utilization);

/*
 * The kernel takes a new task to need half a CPU, too much for a little one, and
 * believes in less only after some sleep.
 */
void grow_small(void);

/* Sleeps until woken through a pipe, says on which CPU that was, sleeps again. */
struct wakee {
	pid_t pid;
	int wake, reply;	/* our ends */
};

struct wakee start_wakee(void);
struct wakee wakee_asleep_on(int cpu);
/* Asleep with @cpu as its previous CPU, allowed on all CPUs. */
void lay_down(const struct wakee *wakee, int cpu);
void wake(const struct wakee *wakee);
/* The CPU it woke on. It is asleep again, off its run queue, when this returns. */
int woke_on(const struct wakee *wakee);
int wake_once(const struct wakee *wakee);

/* Spins on @cpu under @policy (SCHED_OTHER, SCHED_IDLE) until killed. */
void keep_busy(int cpu, int policy);

/*
 * Two processes hand a byte back and forth through pipes. With @work_us, both
 * work so long in every round and then wait for each other, so that each is
 * nearly always running.
 */
struct pair {
	int rounds;
	int work_us;
	cpu_set_t cpus;		/* both may use */
	bool released;		/* when warm: both may then use all CPUs */
	int clamp_min;		/* of both; 0: none */
};

struct pair_result {
	int moves;		/* changes of CPU from one round to the next, both sides */
	int strays;		/* rounds outside .cpus */
	int utilization;	/* the kernel's estimate at the end, of the smaller side */
};

struct pair_result run_pair(const struct pair *pair);

#endif
