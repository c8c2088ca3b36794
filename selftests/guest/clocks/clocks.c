// SPDX-License-Identifier: GPL-2.0-only
/*
 * Time does not go back from one CPU to another, in modelled time, where each
 * emulated CPU has a clock of its own.
 */
#define _GNU_SOURCE

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "../harness/ktap.h"
#include "../harness/machine.h"

#define READS 100000000L	/* over all CPUs */

static _Atomic uint64_t latest;	/* some time that a CPU has read, ns */
static _Atomic uint64_t farthest_back;
static long reads_each;

static uint64_t clock_ns(void)
{
	struct timespec now;

	if (clock_gettime(CLOCK_MONOTONIC, &now))
		die("clock_gettime");
	return now.tv_sec * 1000000000ull + now.tv_nsec;
}

/* What another CPU has read before must not be later than what is read now. */
static void *read_clock(void *unused)
{
	for (long i = 0; i < reads_each; i++) {
		uint64_t before = atomic_load_explicit(&latest, memory_order_acquire);
		uint64_t now = clock_ns();

		if (now >= before)
			atomic_store_explicit(&latest, now, memory_order_release);
		else if (before - now > farthest_back)
			farthest_back = before - now;
	}
	return unused;
}

static pthread_t start_on(int cpu)
{
	cpu_set_t here = cpus_of(1, &cpu);
	pthread_attr_t attr;
	pthread_t thread;

	pthread_attr_init(&attr);
	pthread_attr_setaffinity_np(&attr, sizeof(here), &here);
	errno = pthread_create(&thread, &attr, read_clock, NULL);
	if (errno)
		die("pthread_create");
	pthread_attr_destroy(&attr);
	return thread;
}

static enum outcome never_go_back(void)
{
	cpu_set_t cpus;
	pthread_t threads[CPU_SETSIZE];
	int count = 0;

	if (sched_getaffinity(0, sizeof(cpus), &cpus))
		die("sched_getaffinity");
	reads_each = READS / CPU_COUNT(&cpus);
	for (int cpu = 0; cpu < CPU_SETSIZE; cpu++)
		if (CPU_ISSET(cpu, &cpus))
			threads[count++] = start_on(cpu);
	for (int i = 0; i < count; i++)
		pthread_join(threads[i], NULL);
	return verdict(!farthest_back, "%ld reads on each of %d CPUs, at most %llu ns back (0)", reads_each,
		       count, (unsigned long long)farthest_back);
}

static const struct test tests[] = {
	{ "never_go_back", never_go_back },
};

int main(int argc, char **argv)
{
	const char *clock = getenv("SCHEDLAB_TIME");

	if (!clock || strcmp(clock, "modelled")) {
		printf("KTAP version 1\n1..0 # SKIP one clock for all CPUs: time is not modelled\n");
		return 4;
	}
	return run_tests(tests, sizeof(tests) / sizeof(tests[0]), argc, argv, restore_machine);
}
