// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What the scheduler feature CLUSTER_WAKEUP promises where clusters of CPUs
 * share a cache, or its tags, below the last level. Run as root; the feature is
 * tested as it is found. No machine has the shape for all tests (README.md says
 * which has, and the outcomes with the feature on and off).
 *
 * A waker is pinned and wakes through a pipe, so that the search for a CPU
 * starts at its own (a synchronous wakeup by the only task there): its cluster
 * is target's cluster.
 */
#define _GNU_SOURCE

#include <stdio.h>
#include <unistd.h>

#include "../harness/actor.h"
#include "../harness/ktap.h"
#include "../harness/machine.h"
#include "layout.h"

/* A kernel thread that happens to pass makes an idle CPU a busy one for that moment. */
#define ROUNDS 5
#define LEAST_HITS 4

static int waker;	/* the second CPU of the first cluster */

static void be_waker(int cpu)
{
	waker = cpu;
	pin(0, cpu);
}

static cpu_set_t only(int cpu)
{
	return cpus_of(1, &cpu);
}

static cpu_set_t both(cpu_set_t a, cpu_set_t b)
{
	CPU_OR(&a, &a, &b);
	return a;
}

/* All CPUs of @set run a task, each its own. */
static void keep_all_busy(cpu_set_t set)
{
	for (int cpu = 0; cpu < CPU_SETSIZE; cpu++)
		if (CPU_ISSET(cpu, &set))
			keep_busy(cpu, SCHED_OTHER);
}

/* The LLC runs a task on each CPU but the waker's and @idle, and has been seen to. */
static void load_all_but(cpu_set_t idle)
{
	keep_all_busy(without(without_cpu(llc_set(), waker), idle));
	usleep(300000);	/* utilization grows, and balancing derives the budget of a search from it */
}

/* A task that slept on @prev and may use @allowed is to wake on a CPU of @wanted. */
static enum outcome wakes_in(int prev, cpu_set_t allowed, cpu_set_t wanted)
{
	struct wakee wakee = start_wakee();
	int hits = 0, cpu = -1;

	for (int round = 0; round < ROUNDS; round++) {
		lay_down(&wakee, prev);
		run_on(wakee.pid, allowed);
		cpu = wake_once(&wakee);
		hits += CPU_ISSET(cpu, &wanted) != 0;
	}
	return verdict(hits >= LEAST_HITS,
		       "previous CPU %d, waker on CPU %d, last woke on CPU %d: %d of %d as wanted (at least %d)",
		       prev, waker, cpu, hits, ROUNDS, LEAST_HITS);
}

/* The order: target's cluster, the LLC. */

static enum outcome cluster_first(void)
{
	if (clusters < 2)
		return skip("the cluster is the LLC");
	be_waker(cpu_in(0, 1));
	return wakes_in(cpu_in(1, 2), all_cpus(), cluster_set(0));
}

static enum outcome prev_in_cluster_stays(void)
{
	int prev = cpu_in(0, 3);

	be_waker(cpu_in(0, 1));
	return wakes_in(prev, all_cpus(), only(prev));
}

static enum outcome llc_if_cluster_is_busy(void)
{
	if (clusters < 2)
		return skip("the cluster is the LLC");
	be_waker(cpu_in(0, 1));
	keep_all_busy(without_cpu(cluster_set(0), waker));
	return wakes_in(cpu_in(1, 2), all_cpus(), without(llc_set(), cluster_set(0)));
}

/* All CPUs of the LLC are equally near where it is one cluster. */
static enum outcome prev_stays_if_cluster_is_llc(void)
{
	int prev = cpu_in(0, 3);

	if (clusters > 1)
		return skip("the LLC has %d clusters", clusters);
	be_waker(cpu_in(0, 1));
	return wakes_in(prev, all_cpus(), only(prev));
}

/* What the task may not use is neither chosen nor searched. */

static enum outcome cluster_outside_affinity(void)
{
	cpu_set_t allowed;

	if (clusters < 3)
		return skip("fewer than three clusters");
	be_waker(cpu_in(0, 1));
	allowed = both(only(waker), cluster_set(2));
	return wakes_in(cpu_in(2, 2), allowed, cluster_set(2));
}

/*
 * Where nine of an LLC's twelve CPUs are busy, a search looks at two CPUs; where
 * ten are, at none.
 */
static bool budget_is_known(void)
{
	cpu_set_t set = llc_set();

	return CPU_COUNT(&set) == 12 && cluster_cpus == 4 && core_threads == 1 && !asymmetric();
}

#define BUDGET_UNKNOWN skip("not twelve CPUs in clusters of four")

static enum outcome budget_ends_in_cluster(void)
{
	int prev = cpu_in(2, 2);

	if (!budget_is_known())
		return BUDGET_UNKNOWN;
	be_waker(cpu_in(0, 1));
	load_all_but(both(only(prev), only(cpu_in(0, 0))));
	return wakes_in(prev, all_cpus(), only(prev));
}

static enum outcome budget_ends_search(void)
{
	int prev = cpu_in(2, 2);

	if (!budget_is_known())
		return BUDGET_UNKNOWN;
	be_waker(cpu_in(0, 1));
	load_all_but(both(only(prev), only(cpu_in(1, 2))));
	return wakes_in(prev, all_cpus(), only(prev));
}

static enum outcome budget_spares_disallowed(void)
{
	int idle = cpu_in(0, 0);
	cpu_set_t allowed;

	if (!budget_is_known())
		return BUDGET_UNKNOWN;
	be_waker(cpu_in(0, 1));
	load_all_but(both(only(cpu_in(2, 2)), only(idle)));
	allowed = without_cpu(without_cpu(all_cpus(), cpu_in(0, 2)), cpu_in(0, 3));
	return wakes_in(cpu_in(2, 2), allowed, only(idle));
}

static enum outcome prev_if_there_is_no_budget(void)
{
	int prev = cpu_in(2, 2);

	if (!budget_is_known())
		return BUDGET_UNKNOWN;
	be_waker(cpu_in(0, 1));
	load_all_but(only(prev));
	return wakes_in(prev, all_cpus(), only(prev));
}

/*
 * A task that slept on @recent is drawn to the waker's cluster, whose CPUs are
 * then all busy. Where does it wake next, if it may use @allowed?
 */
static int woke_with_recent(int recent, cpu_set_t idle, cpu_set_t allowed)
{
	struct wakee wakee = wakee_asleep_on(recent);

	wake_once(&wakee);
	load_all_but(idle);
	run_on(wakee.pid, allowed);
	return wake_once(&wakee);
}

static enum outcome recent_if_there_is_no_budget(void)
{
	int recent = cpu_in(2, 2), cpu;

	if (!budget_is_known())
		return BUDGET_UNKNOWN;
	be_waker(cpu_in(0, 1));
	cpu = woke_with_recent(recent, only(recent), all_cpus());
	return verdict(cpu == recent, "recently used CPU %d, woke on CPU %d", recent, cpu);
}

static enum outcome recent_outside_affinity(void)
{
	int recent = cpu_in(2, 2), cpu;

	if (!budget_is_known())
		return BUDGET_UNKNOWN;
	be_waker(cpu_in(0, 1));
	cpu = woke_with_recent(recent, only(recent), without_cpu(all_cpus(), recent));
	return verdict(cpu == waker, "recently used CPU %d, not allowed; woke on CPU %d (target: %d)",
		       recent, cpu, waker);
}

/* A cluster of which one CPU is left. */

static void leave_one_of(int which, int left)
{
	for (int n = 0; n < cluster_cpus; n++)
		if (cpu_in(which, n) != left)
			offline(cpu_in(which, n));
}

static enum outcome lone_cpu_is_in_no_cluster(void)
{
	int lone = cpu_in(1, 2);

	if (clusters < 2)
		return skip("the cluster is the LLC");
	leave_one_of(1, lone);
	be_waker(cpu_in(0, 1));
	return wakes_in(lone, all_cpus(), cluster_set(0));
}

static enum outcome lone_target_keeps_prev(void)
{
	int prev = cpu_in(clusters - 1, 2);

	if (clusters < 3)
		return skip("fewer than three clusters");
	leave_one_of(1, cpu_in(1, 2));
	be_waker(cpu_in(1, 2));
	return wakes_in(prev, all_cpus(), only(prev));
}

/*
 * Two CPUs of two clusters, alone in theirs, become a partition without
 * clusters, and one of them another, which ends. All others are a partition
 * with clusters all the while.
 */
static enum outcome partitions_keep_clusters(void)
{
	int a = cpu_in(0, 2), b, last = sysconf(_SC_NPROCESSORS_CONF) - 1;
	char most[100], one[16];
	const char *fault;

	if (clusters < 2)
		return skip("the cluster is the LLC");
	b = cpu_in(1, 2);
	snprintf(most, sizeof(most), "0-%d,%d-%d,%d-%d", a - 1, a + 1, b - 1, b + 1, last);
	snprintf(one, sizeof(one), "%d", b);
	fault = make_partition(0, "root", most);
	if (!fault)
		fault = make_partition(1, "root", one);
	if (fault)
		return skip("%s", fault);
	remove_partition(1);

	join_partition(0);
	be_waker(cpu_in(0, 1));
	return wakes_in(cpu_in(1, 1), all_cpus(), cluster_set(0));
}

/* Hyper-threads: an idle core in the cluster, then in the LLC, then an idle thread. */

static enum outcome idle_core_in_cluster(void)
{
	if (core_threads == 1 || clusters < 2)
		return skip("no hyper-threads in clusters");
	be_waker(cpu_in(0, 1));
	return wakes_in(cpu_in(1, 2), all_cpus(), without(cluster_set(0), core_set(waker)));
}

/* One thread of each core of @set, apart from the waker's core. */
static cpu_set_t a_thread_of_each_core(cpu_set_t set)
{
	cpu_set_t left = without(set, core_set(waker)), threads;

	CPU_ZERO(&threads);
	for (int cpu = 0; cpu < CPU_SETSIZE; cpu++) {
		if (!CPU_ISSET(cpu, &left))
			continue;
		CPU_SET(cpu, &threads);
		left = without(left, core_set(cpu));
	}
	return threads;
}

static enum outcome idle_core_in_llc(void)
{
	if (core_threads == 1 || clusters < 2)
		return skip("no hyper-threads in clusters");
	be_waker(cpu_in(0, 1));
	keep_all_busy(a_thread_of_each_core(cluster_set(0)));
	return wakes_in(cpu_in(1, 2), all_cpus(), without(llc_set(), cluster_set(0)));
}

static enum outcome idle_thread_in_cluster(void)
{
	cpu_set_t busy;

	if (core_threads == 1 || clusters < 2)
		return skip("no hyper-threads in clusters");
	be_waker(cpu_in(0, 1));
	busy = a_thread_of_each_core(llc_set());
	keep_all_busy(busy);
	return wakes_in(cpu_in(1, 3), all_cpus(),
			without_cpu(without(cluster_set(0), busy), waker));
}

/* CPUs of different capacity: beyond the cluster, nothing is better than where the task ran. */

static enum outcome asym_prev_stays_if_cluster_is_busy(void)
{
	int prev;

	if (!asymmetric() || clusters < 2)
		return skip("no clusters of different capacity");
	prev = cpu_in(1, 2);
	be_waker(cpu_in(0, 1));
	keep_all_busy(without_cpu(cluster_set(0), waker));
	return wakes_in(prev, all_cpus(), only(prev));
}

static enum outcome asym_recent_if_cluster_is_busy(void)
{
	struct wakee wakee;
	int recent, cpu;

	if (!asymmetric() || clusters < 2)
		return skip("no clusters of different capacity");
	recent = cpu_in(1, 2);
	be_waker(cpu_in(0, 1));
	wakee = wakee_asleep_on(recent);
	wake_once(&wakee);
	keep_all_busy(without_cpu(cluster_set(0), waker));
	cpu = wake_once(&wakee);
	return verdict(cpu == recent, "recently used CPU %d, woke on CPU %d", recent, cpu);
}

static const struct test tests[] = {
	{ "cluster_first", cluster_first },
	{ "prev_in_cluster_stays", prev_in_cluster_stays },
	{ "llc_if_cluster_is_busy", llc_if_cluster_is_busy },
	{ "prev_stays_if_cluster_is_llc", prev_stays_if_cluster_is_llc },
	{ "cluster_outside_affinity", cluster_outside_affinity },
	{ "budget_ends_in_cluster", budget_ends_in_cluster },
	{ "budget_ends_search", budget_ends_search },
	{ "budget_spares_disallowed", budget_spares_disallowed },
	{ "prev_if_there_is_no_budget", prev_if_there_is_no_budget },
	{ "recent_if_there_is_no_budget", recent_if_there_is_no_budget },
	{ "recent_outside_affinity", recent_outside_affinity },
	{ "lone_cpu_is_in_no_cluster", lone_cpu_is_in_no_cluster },
	{ "lone_target_keeps_prev", lone_target_keeps_prev },
	{ "partitions_keep_clusters", partitions_keep_clusters },
	{ "idle_core_in_cluster", idle_core_in_cluster },
	{ "idle_core_in_llc", idle_core_in_llc },
	{ "idle_thread_in_cluster", idle_thread_in_cluster },
	{ "asym_prev_stays_if_cluster_is_busy", asym_prev_stays_if_cluster_is_busy },
	{ "asym_recent_if_cluster_is_busy", asym_recent_if_cluster_is_busy },
};

int main(int argc, char **argv)
{
	if (!find_clusters()) {
		printf("KTAP version 1\n1..0 # SKIP no clusters of four CPUs\n");
		return 4;
	}
	return run_tests(tests, sizeof(tests) / sizeof(tests[0]), argc, argv, restore_machine);
}
