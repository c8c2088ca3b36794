// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What the scheduler feature ASYM_PREV promises on CPUs of different capacity.
 * Run as root on a machine with four little and four big CPUs; the feature is
 * tested as it is found (README.md has the outcomes with it on and off).
 *
 * A waker is pinned and wakes through a pipe, so that the search for a CPU
 * starts at its own (a synchronous wakeup by the only task there) whenever
 * affinity and domains allow it.
 */
#define _GNU_SOURCE

#include <stdio.h>
#include <stdlib.h>

#include "../harness/actor.h"
#include "../harness/ktap.h"
#include "../harness/machine.h"
#include "kinds.h"

#define FEW 10	/* moves that balancing may add to some thousand wakeups */

/* A task stays where it ran. */

static enum outcome pair_stays(struct pair pair)
{
	struct pair_result result = run_pair(&pair);

	return verdict(result.moves <= FEW && !result.strays,
		       "%d moves in %d rounds (at most %d), %d outside the mask (none), utilization %d",
		       result.moves, pair.rounds, FEW, result.strays, result.utilization);
}

static enum outcome pipe_pair_stays(void)
{
	return pair_stays((struct pair){ .rounds = 3000, .cpus = all_cpus() });
}

static int random_below(int limit)
{
	return random() % limit;
}

static enum outcome three_wakees_stay(void)
{
	const int warm_up = 20, rounds = 500, limit = 2;
	const char *seed = getenv("SCHEDLAB_SEED");
	struct wakee wakees[3];
	int last[3] = { 0 }, order[3] = { 0, 1, 2 }, moves = 0;

	srandom(seed ? atoi(seed) : 1);
	for (int i = 0; i < 3; i++)
		wakees[i] = start_wakee();
	for (int round = 0; round < warm_up + rounds; round++) {
		for (int i = 2; i > 0; i--) {
			int j = random_below(i + 1), swap = order[i];

			order[i] = order[j];
			order[j] = swap;
		}
		for (int i = 0; i < 3; i++)
			wake(&wakees[order[i]]);
		for (int i = 0; i < 3; i++) {
			int cpu = woke_on(&wakees[i]);

			moves += round >= warm_up && cpu != last[i];
			last[i] = cpu;
		}
	}
	return verdict(moves <= limit, "%d moves in %d rounds (at most %d)",
		       moves, rounds, limit);
}

/* How often, in @rounds, a wakee of CPU @prev woke elsewhere, by a waker on @waker. */
static int departures(int waker, int prev, int rounds)
{
	struct wakee wakee = start_wakee();
	int moves = 0;

	pin(0, waker);
	for (int round = 0; round < rounds; round++) {
		lay_down(&wakee, prev);
		moves += wake_once(&wakee) != prev;
	}
	return moves;
}

/*
 * A kernel thread that happens to pass on the previous CPU makes it a busy one
 * for that moment, so a few may leave.
 */
static enum outcome few_depart(int waker, int prev, int other_waker, int other_prev)
{
	const int limit = 2;
	int moves = departures(waker, prev, 10);
	int other_moves = departures(other_waker, other_prev, 10);

	return verdict(moves <= limit && other_moves <= limit,
		       "woken elsewhere: by CPU %d %d times, by CPU %d %d times, of 10 each (at most %d)",
		       waker, moves, other_waker, other_moves, limit);
}

static enum outcome prev_of_other_kind_stays(void)
{
	return few_depart(big[0], little[1], little[0], big[1]);
}

static enum outcome sched_idle_prev_stays(void)
{
	keep_busy(little[1], SCHED_IDLE);
	return few_depart(little[0], little[1], big[0], little[1]);
}

/* A CPU the task may not use is neither chosen nor left to a blind repair. */

/*
 * The repair takes the lowest CPU that is allowed, so that one is busy here.
 * Wakes from afar: the waker is none of the wakee's CPUs.
 */
static enum outcome wakes_on_idle(const struct wakee *wakee, int prev, cpu_set_t allowed)
{
	int cpu, busy = little[0], waker = big[3];

	keep_busy(busy, SCHED_OTHER);
	CPU_CLR(waker, &allowed);
	run_on(wakee->pid, allowed);
	pin(0, waker);
	cpu = wake_once(wakee);
	return verdict(cpu != prev && cpu != busy && CPU_ISSET(cpu, &allowed),
		       "previous CPU %d, busy CPU %d, woke on CPU %d", prev, busy, cpu);
}

static enum outcome prev_outside_affinity(void)
{
	int prev = little[2], near = little[1];
	struct wakee wakee = wakee_asleep_on(prev);
	cpu_set_t allowed = cpus_of(CPUS_PER_KIND, big);

	CPU_SET(little[0], &allowed);
	CPU_SET(near, &allowed);
	return wakes_on_idle(&wakee, prev, allowed);
}

static enum outcome prev_offline(void)
{
	int prev = big[1];
	struct wakee wakee = wakee_asleep_on(prev);

	offline(prev);
	return wakes_on_idle(&wakee, prev, all_cpus());
}

static enum outcome prev_isolated(void)
{
	int prev = big[1];
	struct wakee wakee = wakee_asleep_on(prev);
	char list[16];
	const char *fault;

	snprintf(list, sizeof(list), "%d", prev);
	fault = make_partition(0, "isolated", list);
	if (fault)
		return skip("%s", fault);
	return wakes_on_idle(&wakee, prev, all_cpus());
}

/*
 * A partition of little CPUs beside an asymmetric one: no asymmetric domain.
 * Its CPUs are as good as each other, whatever a task asks for.
 */
static enum outcome island_pair_stays_with(int least)
{
	char list[64];
	const char *fault;

	snprintf(list, sizeof(list), "%d,%d,%d", little[0], little[1], little[2]);
	fault = make_partition(0, "root", list);
	if (fault)
		return skip("%s", fault);
	join_partition(0);
	return pair_stays((struct pair){
		.rounds = 1000, .cpus = cpus_of(3, little), .clamp_min = least });
}

static enum outcome island_pair_stays(void)
{
	return island_pair_stays_with(0);
}

static enum outcome island_clamped_pair_stays(void)
{
	return island_pair_stays_with(big_capacity);
}

/* A CPU that is too small is left. */

static enum outcome clamped_sleeper_leaves_little(void)
{
	struct wakee wakee = wakee_asleep_on(little[1]);
	int cpu;

	if (!clamp_min(wakee.pid, big_capacity))
		return skip("no utilization clamps");
	pin(0, little[0]);
	cpu = wake_once(&wakee);
	return verdict(!is_little(cpu), "woke on CPU %d (must be a big one)", cpu);
}

/*
 * Taking a CPU down is work for the kworker of the lowest other CPU, for which
 * the caller waits. If it waits on that CPU, it is woken by a kthread bound to
 * its previous CPU, with nothing else to run there, in task context: a CPU to
 * share although it is not idle.
 */
static int kworker_departures(int rounds)
{
	int moves = 0;

	grow_small();
	for (int round = 0; round < rounds; round++) {
		pin(0, little[0]);
		run_on(0, all_cpus());
		fail_offline(big[3]);
		moves += sched_getcpu() != little[0];
	}
	return moves;
}

static enum outcome kworker_wakee_stays(void)
{
	int moves = kworker_departures(10);

	return verdict(!moves, "left its CPU %d times of 10 (never)", moves);
}

static enum outcome kworker_clamped_wakee_leaves(void)
{
	int moves;

	if (!clamp_min(0, big_capacity))
		return skip("no utilization clamps");
	moves = kworker_departures(10);
	return verdict(moves == 10, "left its little CPU %d times of 10 (always)", moves);
}

/* If no CPU is big enough, staying is as good as moving. */

static enum outcome nothing_fits_clamped_pair_stays(void)
{
	return pair_stays((struct pair){
		.rounds = 1000, .cpus = cpus_of(CPUS_PER_KIND, little), .clamp_min = big_capacity });
}

static enum outcome nothing_fits_busy_pair_stays(void)
{
	return pair_stays((struct pair){ .rounds = 1000, .work_us = 2000, .cpus = all_cpus() });
}

static const struct test tests[] = {
	{ "pipe_pair_stays", pipe_pair_stays },
	{ "three_wakees_stay", three_wakees_stay },
	{ "prev_of_other_kind_stays", prev_of_other_kind_stays },
	{ "sched_idle_prev_stays", sched_idle_prev_stays },
	{ "prev_outside_affinity", prev_outside_affinity },
	{ "prev_offline", prev_offline },
	{ "prev_isolated", prev_isolated },
	{ "island_pair_stays", island_pair_stays },
	{ "island_clamped_pair_stays", island_clamped_pair_stays },
	{ "clamped_sleeper_leaves_little", clamped_sleeper_leaves_little },
	{ "kworker_wakee_stays", kworker_wakee_stays },
	{ "kworker_clamped_wakee_leaves", kworker_clamped_wakee_leaves },
	{ "nothing_fits_clamped_pair_stays", nothing_fits_clamped_pair_stays },
	{ "nothing_fits_busy_pair_stays", nothing_fits_busy_pair_stays },
};

int main(int argc, char **argv)
{
	if (!find_kinds()) {
		printf("KTAP version 1\n1..0 # SKIP not four CPUs of each of two capacities\n");
		return 4;
	}
	return run_tests(tests, sizeof(tests) / sizeof(tests[0]), argc, argv, restore_machine);
}
