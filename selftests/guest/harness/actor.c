// SPDX-License-Identifier: GPL-2.0-or-later
#define _GNU_SOURCE

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "actor.h"
#include "ktap.h"
#include "machine.h"

/* Rounds in which the load balancer may still spread what was just forked. */
#define WARM_UP 100

void run_on(pid_t pid, cpu_set_t cpus)
{
	if (sched_setaffinity(pid, sizeof(cpus), &cpus))
		die("sched_setaffinity");
}

void pin(pid_t pid, int cpu)
{
	run_on(pid, cpus_of(1, &cpu));
}

bool clamp_min(pid_t pid, int utilization)
{
	/* struct sched_attr of linux/sched/types.h; the C library's headers are older. */
	struct {
		uint32_t size, policy;
		uint64_t flags;
		int32_t nice;
		uint32_t priority;
		uint64_t runtime, deadline, period;
		uint32_t util_min, util_max;
	} attr = {
		.size = sizeof(attr),
		.flags = 0x08 | 0x10 | 0x20,	/* keep policy, keep parameters, clamp min */
		.util_min = utilization,
	};

	if (!syscall(SYS_sched_setattr, pid, &attr, 0))
		return true;
	if (errno != EOPNOTSUPP)
		die("sched_setattr");
	return false;
}

pid_t start_process(void)
{
	pid_t pid = fork();

	if (pid < 0)
		die("fork");
	if (!pid)
		prctl(PR_SET_PDEATHSIG, SIGKILL);
	return pid;
}

void grow_small(void)
{
	for (int i = 0; i < 20; i++)
		usleep(10000);
}

static void pass(int fd)
{
	if (write(fd, "", 1) != 1)
		die("write to a pipe");
}

static void await(int fd)
{
	char byte;

	if (read(fd, &byte, 1) != 1)
		die("read from a pipe");
}

static void await_sleep(pid_t pid)
{
	char path[32], state = 0;

	snprintf(path, sizeof(path), "/proc/%d/stat", pid);
	while (state != 'S') {
		FILE *file = fopen(path, "r");

		if (!file || fscanf(file, "%*d (%*[^)]) %c", &state) != 1)
			die("%s", path);
		fclose(file);
		usleep(2000);	/* it says so before it has left its run queue */
	}
}

struct wakee start_wakee(void)
{
	int wake[2], reply[2], cpu;
	struct wakee wakee;

	if (pipe(wake) || pipe(reply) || fcntl(reply[0], F_SETFL, O_NONBLOCK))
		die("pipe");
	wakee = (struct wakee){ start_process(), wake[1], reply[0] };
	if (wakee.pid)
		return wakee;

	grow_small();
	for (;;) {
		await(wake[0]);
		cpu = sched_getcpu();
		if (write(reply[1], &cpu, sizeof(cpu)) != sizeof(cpu))
			die("write to a pipe");
	}
}

void wake(const struct wakee *wakee)
{
	pass(wakee->wake);
}

int woke_on(const struct wakee *wakee)
{
	int cpu;

	/* Spin: an idle waker's CPU would pull a wakee that has not run yet. */
	while (read(wakee->reply, &cpu, sizeof(cpu)) != sizeof(cpu))
		if (errno != EAGAIN)
			die("read from a pipe");
	await_sleep(wakee->pid);
	return cpu;
}

int wake_once(const struct wakee *wakee)
{
	wake(wakee);
	return woke_on(wakee);
}

void lay_down(const struct wakee *wakee, int cpu)
{
	pin(wakee->pid, cpu);
	if (wake_once(wakee) != cpu)
		die("a task pinned to CPU %d ran elsewhere", cpu);
	usleep(20000);	/* a dequeue beside another task may be delayed so long */
	run_on(wakee->pid, all_cpus());
}

struct wakee wakee_asleep_on(int cpu)
{
	struct wakee wakee = start_wakee();

	lay_down(&wakee, cpu);
	return wakee;
}

void keep_busy(int cpu, int policy)
{
	pid_t pid = start_process();

	if (!pid)
		for (;;)
			;
	if (sched_setscheduler(pid, policy, &(struct sched_param){ 0 }))
		die("sched_setscheduler");
	pin(pid, cpu);
	usleep(20000);	/* it runs there */
}

/* Works for so long of CPU time. */
static void work(int us)
{
	struct timespec now;
	long long end = 0, ns;

	do {
		clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
		ns = now.tv_sec * 1000000000LL + now.tv_nsec;
		if (!end)
			end = ns + us * 1000LL;
	} while (ns < end);
}

/* The kernel's estimate for the caller (se.avg.util_est in debugfs' sched output). */
static int own_utilization(void)
{
	FILE *file = fopen("/proc/self/sched", "r");
	unsigned int estimate = 0;
	char line[200];

	if (!file)
		die("/proc/self/sched");
	while (fgets(line, sizeof(line), file))
		if (sscanf(line, "se.avg.util_est : %u", &estimate) == 1)
			break;
	fclose(file);
	return estimate & ~0x80000000;	/* UTIL_AVG_UNCHANGED */
}

static void play(const struct pair *pair, bool first, int in, int out,
		 struct pair_result *result)
{
	int last = -1, cpu;

	run_on(0, pair->cpus);
	if (pair->clamp_min && !clamp_min(0, pair->clamp_min))
		die("utilization clamp");

	for (int round = 0; round < WARM_UP + pair->rounds; round++) {
		if (pair->released && round == WARM_UP)
			run_on(0, all_cpus());
		if (pair->work_us)
			work(pair->work_us);
		if (first || pair->work_us)
			pass(out);
		await(in);
		cpu = sched_getcpu();
		if (!first && !pair->work_us)
			pass(out);
		if (round >= WARM_UP) {
			result->moves += cpu != last;
			result->strays += !CPU_ISSET(cpu, &pair->cpus);
		}
		last = cpu;
	}
	result->utilization = own_utilization();
	exit(PASSED);
}

struct pair_result run_pair(const struct pair *pair)
{
	int there[2], back[2], status;
	struct pair_result *side;

	side = mmap(NULL, 2 * sizeof(*side), PROT_READ | PROT_WRITE,
		    MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (side == MAP_FAILED || pipe(there) || pipe(back))
		die("a pair's pipes");

	if (!start_process())
		play(pair, true, back[0], there[1], &side[0]);
	if (!start_process())
		play(pair, false, there[0], back[1], &side[1]);
	for (int i = 0; i < 2; i++)
		if (wait(&status) < 0 || status)
			die("one of a pair ended with status %#x", status);

	return (struct pair_result){
		.moves = side[0].moves + side[1].moves,
		.strays = side[0].strays + side[1].strays,
		.utilization = side[0].utilization < side[1].utilization ?
			       side[0].utilization : side[1].utilization,
	};
}
