// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What the scheduler feature SMT_SPREAD promises: tasks that compute don't share
 * a core while another one, as good for them, is idle. Run as root; each test
 * says which cores it needs, and skips itself elsewhere. The feature is tested
 * as it is found (README.md has the outcomes with it on and off).
 */
#define _GNU_SOURCE

#include <signal.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../harness/actor.h"
#include "../harness/ktap.h"
#include "../harness/machine.h"
#include "cores.h"
#include "hogs.h"

#define FEW 2	/* moves, when a kernel thread happens to pass */

/* Nodes. */

static enum outcome pair_leaves_only_core_of_node(void)
{
	struct hogs hogs;

	if (!nodes_of(4, 1))
		return skip("needs 4 nodes of one core with hyper-threads");
	hogs = settle_from(2, cores[0].cpus);
	return spread(&hogs, 1);
}

/* The second of the two cannot leave. */
static enum outcome pinned_neighbour_is_left(void)
{
	struct hogs hogs = { .count = 2 };

	if (!nodes_of(4, 1))
		return skip("needs 4 nodes of one core with hyper-threads");
	for (int i = 0; i < 2; i++)
		hogs.pids[i] = start_hog(cores[0].cpus[i]);
	run_on(hogs.pids[0], all_cpus());
	usleep(SETTLE_US);
	return spread(&hogs, 1);
}

static enum outcome pair_leaves_last_core_of_node(void)
{
	const char *fault;
	struct hogs hogs;
	char list[64];

	if (!nodes_of(2, 2))
		return skip("needs 2 nodes of two cores with hyper-threads");
	snprintf(list, sizeof(list), "%d,%d,%d,%d", cores[1].cpus[0], cores[1].cpus[1],
		 cores[3].cpus[0], cores[3].cpus[1]);
	fault = make_partition(0, "isolated", list);
	if (fault)
		return skip("%s", fault);
	hogs = settle_from(2, cores[0].cpus);
	return spread(&hogs, 1);
}

/* The control: what the allowance between nodes is for. Both run nearly always. */
static enum outcome talking_pair_stays_on_node(void)
{
	int home[] = { cores[0].cpus[0], cores[0].cpus[1], cores[1].cpus[0], cores[1].cpus[1] };
	struct pair pair = {
		.rounds = 1000, .work_us = 300, .cpus = cpus_of(4, home), .released = true };
	struct pair_result result;

	if (!nodes_of(2, 2))
		return skip("needs 2 nodes of two cores with hyper-threads");
	result = run_pair(&pair);
	return verdict(result.strays <= FEW, "%d of %d rounds on the other node (at most %d)",
		       result.strays, 2 * pair.rounds, FEW);
}

static enum outcome three_leave_near_nodes(void)
{
	struct hogs hogs;
	int start[5];

	if (!nodes_of(6, 1))
		return skip("needs three pairs of nodes of one core with hyper-threads");
	start[0] = cores[0].cpus[0];
	start[1] = cores[0].cpus[1];
	start[2] = cores[1].cpus[0];
	start[3] = cores[2].cpus[0];
	start[4] = cores[4].cpus[0];
	hogs = settle_from(5, start);
	return spread(&hogs, 1);
}

/* A child says where it runs first. */
static int forked_on(void)
{
	int *cpu = mmap(NULL, sizeof(int), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	int status;
	pid_t pid;

	if (cpu == MAP_FAILED)
		die("mmap");
	pid = fork();
	if (pid < 0)
		die("fork");
	if (!pid) {
		*cpu = sched_getcpu();
		_exit(0);
	}
	if (waitpid(pid, &status, 0) != pid || status)
		die("a child that says where it runs");
	return *cpu;
}

static enum outcome child_gets_a_core(void)
{
	const int rounds = 10;
	int shared = 0;

	if (!nodes_of(6, 1))
		return skip("needs three pairs of nodes of one core with hyper-threads");
	start_hog(cores[1].cpus[0]);
	for (int round = 0; round < rounds; round++) {
		pin(0, cores[0].cpus[0]);
		run_on(0, all_cpus());
		shared += core_of(forked_on()) < 2;
	}
	return verdict(shared <= FEW, "%d of %d children began on a busy core (at most %d)",
		       shared, rounds, FEW);
}

/* A core with one thread, beside one with two. */

enum loss { OFFLINE, ISOLATED, EXCLUDED };

/* Leaves the first core and the first thread of the second. Returns why not, or NULL. */
static const char *leave_three(enum loss loss)
{
	int kept[] = { cores[0].cpus[0], cores[0].cpus[1], cores[1].cpus[0] };
	const char *fault;
	char list[64];

	if (node_count != 1 || core_count < 2 || least_threads() != 2 ||
	    cores[0].capacity != most_capacity() || cores[1].capacity != most_capacity())
		return "needs big cores with two hyper-threads in one node";
	switch (loss) {
	case OFFLINE:
		for (int core = 1; core < core_count; core++)
			for (int i = core == 1; i < cores[core].threads; i++)
				offline(cores[core].cpus[i]);
		return NULL;
	case ISOLATED:
		return make_partition(0, "isolated", list_without(3, kept));
	case EXCLUDED:
		snprintf(list, sizeof(list), "%d,%d,%d", kept[0], kept[1], kept[2]);
		fault = make_partition(0, "root", list);
		if (!fault)
			join_partition(0);
		return fault;
	}
	return NULL;
}

static enum outcome pair_leaves_for_single_thread(enum loss loss)
{
	const char *fault = leave_three(loss);
	struct hogs hogs;

	if (fault)
		return skip("%s", fault);
	hogs = settle_from(2, cores[0].cpus);
	return spread(&hogs, 1);
}

static enum outcome sibling_offline(void)
{
	return pair_leaves_for_single_thread(OFFLINE);
}

static enum outcome sibling_isolated(void)
{
	return pair_leaves_for_single_thread(ISOLATED);
}

static enum outcome sibling_excluded(void)
{
	return pair_leaves_for_single_thread(EXCLUDED);
}

static enum outcome lone_hog_stays(void)
{
	const char *fault = leave_three(OFFLINE);
	int start[] = { cores[0].cpus[0], cores[1].cpus[0] }, moves[2];

	if (fault)
		return skip("%s", fault);
	for (int i = 0; i < 2; i++) {
		pid_t hog = start_hog(start[i]);

		moves[i] = -migrations_of(hog);
		run_on(hog, all_cpus());
		usleep(SETTLE_US);
		moves[i] += migrations_of(hog);
		kill(hog, SIGKILL);
	}
	return verdict(moves[0] <= FEW && moves[1] <= FEW,
		       "moves from the core of two threads %d, from that of one %d (at most %d)",
		       moves[0], moves[1], FEW);
}

/* Shares. */

static enum outcome three_on_two_are_fair(void)
{
	const int us = 3 * SETTLE_US, low = 54, high = 90;	/* per cent, around two thirds */
	int start[] = { cores[0].cpus[0], cores[1].cpus[0], cores[0].cpus[0] };
	int share[3], worst = 0;
	const char *fault;
	struct hogs hogs;
	char list[32];

	if (core_count < 2 || node_count != 1 ||
	    cores[0].capacity != most_capacity() || cores[1].capacity != most_capacity())
		return skip("needs two big cores in one node");
	snprintf(list, sizeof(list), "%d,%d", start[0], start[1]);
	fault = make_partition(0, "root", list);
	if (fault)
		return skip("%s", fault);
	join_partition(0);
	hogs = settle_from(3, start);
	for (int i = 0; i < 3; i++)
		share[i] = -(ran_ns(hogs.pids[i]) / 1000 * 100 / us);
	usleep(us);
	for (int i = 0; i < 3; i++) {
		share[i] += ran_ns(hogs.pids[i]) / 1000 * 100 / us;
		if (share[i] < low || share[i] > high)
			worst = share[i];
	}
	return verdict(!worst, "shares of a CPU: %d %%, %d %%, %d %% (%d to %d)",
		       share[0], share[1], share[2], low, high);
}

/* Four threads. */

static enum outcome three_leave_core_of_four(void)
{
	struct hogs hogs;

	if (node_count != 1 || core_count != 2 || least_threads() < 4)
		return skip("needs two cores with four hyper-threads in one node");
	hogs = settle_from(3, cores[0].cpus);
	return spread(&hogs, 2);
}

/* Cores of two capacities. */

static bool all_big(const struct hogs *hogs)
{
	for (int i = 0; i < hogs->count; i++)
		if (cores[core_of(cpu_of(hogs->pids[i]))].capacity != most_capacity())
			return false;
	return true;
}

static enum outcome equal_core_takes_one(void)
{
	const struct core *big[2];
	const char *fault = find_big(big);
	struct hogs hogs;

	if (fault)
		return skip("%s", fault);
	hogs = settle_from(2, big[0]->cpus);
	return spread(&hogs, 1);
}

static enum outcome big_hogs_stay_big(void)
{
	const struct core *big[2];
	const char *fault = find_big(big);
	struct hogs hogs;
	int start[2];

	if (fault)
		return skip("%s", fault);
	for (int i = 0; i < 2; i++)
		start[i] = big[i]->cpus[0];
	hogs = settle_from(2, start);
	return verdict(all_big(&hogs) && most_on_a_core(&hogs) == 1, "hogs on CPUs %d %d, both big: %s",
		       cpu_of(hogs.pids[0]), cpu_of(hogs.pids[1]), all_big(&hogs) ? "yes" : "no");
}

static const struct test tests[] = {
	{ "pair_leaves_only_core_of_node", pair_leaves_only_core_of_node },
	{ "pinned_neighbour_is_left", pinned_neighbour_is_left },
	{ "pair_leaves_last_core_of_node", pair_leaves_last_core_of_node },
	{ "talking_pair_stays_on_node", talking_pair_stays_on_node },
	{ "three_leave_near_nodes", three_leave_near_nodes },
	{ "child_gets_a_core", child_gets_a_core },
	{ "sibling_offline", sibling_offline },
	{ "sibling_isolated", sibling_isolated },
	{ "sibling_excluded", sibling_excluded },
	{ "lone_hog_stays", lone_hog_stays },
	{ "three_on_two_are_fair", three_on_two_are_fair },
	{ "three_leave_core_of_four", three_leave_core_of_four },
	{ "equal_core_takes_one", equal_core_takes_one },
	{ "big_hogs_stay_big", big_hogs_stay_big },
};

int main(int argc, char **argv)
{
	find_cores();
	return run_tests(tests, sizeof(tests) / sizeof(tests[0]), argc, argv, restore_machine);
}
