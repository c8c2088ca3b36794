// SPDX-License-Identifier: GPL-2.0-or-later
#define _GNU_SOURCE

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "../harness/actor.h"
#include "../harness/ktap.h"
#include "../harness/machine.h"
#include "cores.h"
#include "hogs.h"

pid_t start_hog(int cpu)
{
	pid_t pid = fork();

	if (pid < 0)
		die("fork");
	if (!pid) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		for (;;)
			;
	}
	pin(pid, cpu);
	while (cpu_of(pid) != cpu)
		usleep(1000);
	return pid;
}

static FILE *open_proc(pid_t pid, const char *name)
{
	char path[40];
	FILE *file;

	snprintf(path, sizeof(path), "/proc/%d/%s", pid, name);
	file = fopen(path, "r");
	if (!file)
		die("%s", path);
	return file;
}

int cpu_of(pid_t pid)
{
	FILE *file = open_proc(pid, "stat");
	char line[1024], *field;
	int cpu, number = 2;

	if (!fgets(line, sizeof(line), file))
		die("/proc/%d/stat", pid);
	fclose(file);

	/* Field 39; the second is a name in parentheses, which may contain spaces. */
	field = strrchr(line, ')');
	while (field && number++ < 39)
		field = strchr(field + 1, ' ');
	if (!field || sscanf(field, " %d", &cpu) != 1)
		die("/proc/%d/stat", pid);
	return cpu;
}

long long ran_ns(pid_t pid)
{
	FILE *file = open_proc(pid, "schedstat");
	long long ns;

	if (fscanf(file, "%lld", &ns) != 1)
		die("/proc/%d/schedstat", pid);
	fclose(file);
	return ns;
}

int migrations_of(pid_t pid)
{
	FILE *file = open_proc(pid, "sched");
	char line[200];
	int count = -1;

	while (count < 0 && fgets(line, sizeof(line), file))
		if (sscanf(line, "se.nr_migrations : %d", &count) != 1)
			count = -1;
	fclose(file);
	if (count < 0)
		die("/proc/%d/sched", pid);
	return count;
}

struct hogs settle_from(int count, const int *cpus)
{
	struct hogs hogs = { .count = count };

	for (int i = 0; i < count; i++)
		hogs.pids[i] = start_hog(cpus[i]);
	for (int i = 0; i < count; i++)
		run_on(hogs.pids[i], all_cpus());
	usleep(SETTLE_US);
	return hogs;
}

int most_on_a_core(const struct hogs *hogs)
{
	int on[MOST_CORES] = { 0 }, most = 0;

	for (int i = 0; i < hogs->count; i++) {
		int core = core_of(cpu_of(hogs->pids[i]));

		if (++on[core] > most)
			most = on[core];
	}
	return most;
}

enum outcome spread(const struct hogs *hogs, int limit)
{
	char places[MOST_HOGS * 5] = "";
	int length = 0, most = most_on_a_core(hogs);

	for (int i = 0; i < hogs->count; i++)
		length += snprintf(places + length, sizeof(places) - length, " %d",
				   cpu_of(hogs->pids[i]));
	return verdict(most <= limit, "hogs on CPUs%s: %d on one core (at most %d)",
		       places, most, limit);
}
