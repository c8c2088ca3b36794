// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What the scheduler feature IDLE_CLAIM promises: while one wakeup has chosen an
 * idle CPU and its task is not queued there yet, others look elsewhere. Run as
 * root on a machine with eight CPUs; the feature is tested as it is found
 * (README.md has the outcomes with it on and off).
 *
 * In each test a first wakeup is held where it has chosen its CPU. A second one
 * takes place meanwhile. Wakers are not among the CPUs their wakees may use,
 * unless a test says so: the search then starts at the previous CPU.
 */
#define _GNU_SOURCE

#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "../harness/actor.h"
#include "../harness/ktap.h"
#include "../harness/machine.h"
#include "window.h"

/*
 * Roles. Where there are two kinds of CPU, or several last-level caches, CPUs
 * 4 to 7 are of one: of the bigger kind.
 */
enum { SHORT_TURNS, FIRST_WAKER, WAKER, BUSY = 4, IDLE, OTHER_IDLE, THIRD_IDLE, CPUS };

#define CLAIM_US 1000	/* after which a claim is void */

static int cpu_count;
static bool smt;

static bool are_threads(int cpu, const char *siblings)
{
	char path[80], list[20] = "";
	FILE *file;

	snprintf(path, sizeof(path),
		 "/sys/devices/system/cpu/cpu%d/topology/thread_siblings_list", cpu);
	file = fopen(path, "r");
	if (!file || fscanf(file, "%19s", list) != 1)
		die("%s", path);
	fclose(file);
	return !strcmp(list, siblings);
}

static cpu_set_t these(int a, int b, int c)
{
	return cpus_of(3, (int[]){ a, b, c });
}

static struct wakee wakee_on(int prev, cpu_set_t allowed)
{
	struct wakee wakee = start_wakee();

	usleep(250000);		/* it grows small; do not spin meanwhile */
	lay_down(&wakee, prev);
	run_on(wakee.pid, allowed);
	return wakee;
}

static void spin_us(int us)
{
	long long end = now_ns() + us * 1000LL;

	while (now_ns() < end)
		relax();
}

/* The second wakeup came after the claim had expired, and the test shows nothing. */
static bool late;

struct meeting {
	int chosen, first, second;	/* the CPU that the first chose; where they woke */
	int us;				/* from the first's choice to the second wakeup's end */
};

/* Wakes @second when @first has been promised its CPU since @us. */
static struct meeting meet_after(int us, struct wakee first, struct wakee second)
{
	struct meeting cpus;

	hog(BUSY, SCHED_OTHER);
	cpus.chosen = open_window(FIRST_WAKER, &first, SHORT_TURNS);
	spin_us(us);
	wake(&second);
	cpus.us = window_age_us();
	late = !us && cpus.us >= CLAIM_US;
	close_window();
	cpus.first = woke_on(&first);
	cpus.second = woke_on(&second);
	return cpus;
}

/* The second wakeup must find another CPU, and the first stay with its choice. */
static enum outcome part(struct wakee first, struct wakee second)
{
	struct meeting cpus = meet_after(0, first, second);

	return verdict(cpus.second != cpus.chosen && cpus.second != BUSY &&
		       cpus.first == cpus.chosen,
		       "first chose CPU %d and woke on CPU %d, second woke on CPU %d, within %d us",
		       cpus.chosen, cpus.first, cpus.second, cpus.us);
}

/* The first wakeup chooses CPU @chosen, and the second one, @us later, takes CPU @taken. */
static enum outcome takes(int us, struct wakee first, int chosen, struct wakee second, int taken)
{
	struct meeting cpus = meet_after(us, first, second);

	return verdict(cpus.chosen == chosen && cpus.second == taken,
		       "first chose CPU %d (%d), second woke on CPU %d (%d), within %d us",
		       cpus.chosen, chosen, cpus.second, taken, cpus.us);
}

/* What another wakeup has claimed is passed over, wherever it is found. */

static enum outcome scan(void)
{
	cpu_set_t cpus = these(BUSY, IDLE, OTHER_IDLE);

	return part(wakee_on(BUSY, cpus), wakee_on(BUSY, cpus));
}

static struct wakee wakee_that_finds_idle(void)
{
	return wakee_on(BUSY, these(BUSY, BUSY, IDLE));
}

static enum outcome target(void)
{
	return takes(0, wakee_that_finds_idle(), IDLE,
		     wakee_on(IDLE, these(BUSY, IDLE, OTHER_IDLE)), OTHER_IDLE);
}

/* The second waker's CPU is allowed, and the wakeup synchronous: that is the target. */
static enum outcome previous(void)
{
	pin(0, THIRD_IDLE);
	return takes(0, wakee_that_finds_idle(), IDLE,
		     wakee_on(IDLE, these(THIRD_IDLE, IDLE, OTHER_IDLE)), OTHER_IDLE);
}

/* A wakeup that was sent away from IDLE, to BUSY, remembers IDLE. */
static enum outcome recently_used(void)
{
	struct wakee second = wakee_on(IDLE, these(BUSY, BUSY, THIRD_IDLE));

	hog(THIRD_IDLE, SCHED_OTHER);
	wake_once(&second);
	run_on(second.pid, these(BUSY, IDLE, OTHER_IDLE));
	return takes(0, wakee_that_finds_idle(), IDLE, second, OTHER_IDLE);
}

static enum outcome sched_idle(void)
{
	cpu_set_t cpus = these(BUSY, IDLE, OTHER_IDLE);
	struct wakee first = wakee_on(BUSY, cpus), second = wakee_on(BUSY, cpus);

	hog(IDLE, SCHED_IDLE);
	hog(OTHER_IDLE, SCHED_IDLE);
	return part(first, second);
}

/* Where CPUs 4 and 5, 6 and 7 are two threads of a core each: */

/* No core is idle: the search looks at BUSY's sibling first. */
static enum outcome sibling(void)
{
	cpu_set_t cpus = these(BUSY, IDLE, THIRD_IDLE);
	struct wakee first = wakee_on(BUSY, cpus), second = wakee_on(BUSY, cpus);

	if (!smt)
		return skip("CPUs 4 and 5, 6 and 7 are not threads of a core");
	for (int cpu = OTHER_IDLE; cpu < cpu_count; cpu += 2)
		hog(cpu, SCHED_OTHER);
	return part(first, second);
}

/* A core is not idle if one of its threads is claimed. */
static enum outcome core(void)
{
	if (!smt)
		return skip("CPUs 4 and 5, 6 and 7 are not threads of a core");
	return takes(0, wakee_on(BUSY, these(BUSY, BUSY, OTHER_IDLE)), OTHER_IDLE,
		     wakee_on(BUSY, these(BUSY, IDLE, THIRD_IDLE)), IDLE);
}

/* A claim keeps nobody off for nothing. */

/* An idle CPU, though claimed, is better than a busy one. */
static enum outcome all_claimed(void)
{
	return takes(0, wakee_that_finds_idle(), IDLE, wakee_that_finds_idle(), IDLE);
}

/* The first wakeup's own choice would be IDLE, which its task may no longer use. */
static enum outcome overruled(void)
{
	return takes(0, wakee_on(IDLE, these(OTHER_IDLE, OTHER_IDLE, THIRD_IDLE)), OTHER_IDLE,
		     wakee_on(IDLE, these(BUSY, IDLE, THIRD_IDLE)), IDLE);
}

static enum outcome expired(void)
{
	return takes(CLAIM_US, wakee_that_finds_idle(), IDLE,
		     wakee_on(IDLE, these(BUSY, IDLE, OTHER_IDLE)), IDLE);
}

/*
 * That a core is not taken because of a claim does not mean that it is busy: when
 * the claim has expired, the next wakeup finds it.
 */
static enum outcome idle_core_is_remembered(void)
{
	struct wakee first, second, third;
	int chosen, cpu;

	if (!smt)
		return skip("CPUs 4 and 5, 6 and 7 are not threads of a core");
	first = wakee_on(BUSY, these(BUSY, BUSY, OTHER_IDLE));
	second = wakee_on(BUSY, these(BUSY, IDLE, OTHER_IDLE));
	third = wakee_on(BUSY, these(BUSY, IDLE, THIRD_IDLE));
	hog(BUSY, SCHED_OTHER);
	for (cpu = CPUS; cpu < cpu_count; cpu += 2)
		hog(cpu, SCHED_OTHER);

	chosen = open_window(FIRST_WAKER, &first, SHORT_TURNS);
	wake(&second);
	spin_us(CLAIM_US);
	wake(&third);
	close_window();
	cpu = woke_on(&third);
	return verdict(chosen == OTHER_IDLE && cpu == THIRD_IDLE,
		       "first chose CPU %d (%d), third woke on CPU %d (%d)",
		       chosen, OTHER_IDLE, cpu, THIRD_IDLE);
}

/* Emulated CPUs' turns may make a wakeup late by chance: then once more. */
#define IN_TIME(test)						\
	static enum outcome test##_in_time(void)		\
	{							\
		enum outcome outcome = test();			\
								\
		for (int i = 0; late && i < 5; i++)		\
			outcome = test();			\
		return late ? FAILED : outcome;			\
	}
IN_TIME(scan)
IN_TIME(target)
IN_TIME(previous)
IN_TIME(recently_used)
IN_TIME(sched_idle)
IN_TIME(sibling)
IN_TIME(core)

static const struct test tests[] = {
	{ "scan", scan_in_time },
	{ "target", target_in_time },
	{ "previous", previous_in_time },
	{ "recently_used", recently_used_in_time },
	{ "sched_idle", sched_idle_in_time },
	{ "sibling", sibling_in_time },
	{ "core", core_in_time },
	{ "all_claimed", all_claimed },
	{ "overruled", overruled },
	{ "expired", expired },
	{ "idle_core_is_remembered", idle_core_is_remembered },
};

int main(int argc, char **argv)
{
	const char *fault = find_window();

	cpu_count = sysconf(_SC_NPROCESSORS_ONLN);
	if (!fault && cpu_count < CPUS)
		fault = "fewer than eight CPUs";
	if (fault) {
		printf("KTAP version 1\n1..0 # SKIP %s\n", fault);
		return 4;
	}
	smt = are_threads(BUSY, "4-5") && are_threads(OTHER_IDLE, "6-7");
	pin(0, WAKER);
	return run_tests(tests, sizeof(tests) / sizeof(tests[0]), argc, argv, restore_machine);
}
