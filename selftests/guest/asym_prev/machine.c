// SPDX-License-Identifier: GPL-2.0-or-later
#define _GNU_SOURCE

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <mntent.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "ktap.h"
#include "machine.h"

#define GROUP "asym_prev"

int little[CPUS_PER_KIND], big[CPUS_PER_KIND];
int little_capacity, big_capacity;

static char cgroup_root[PATH_MAX];	/* where cgroup2 is mounted; empty: nowhere */

static int capacity_of(int cpu)
{
	char path[64];
	int capacity = 0;
	FILE *file;

	snprintf(path, sizeof(path), "/sys/devices/system/cpu/cpu%d/cpu_capacity", cpu);
	file = fopen(path, "r");
	if (!file)
		return 0;
	if (fscanf(file, "%d", &capacity) != 1)
		capacity = 0;
	fclose(file);
	return capacity;
}

static int first_of(int capacity, int *cpus)
{
	int found = 0;

	for (int cpu = 0; cpu < CPU_SETSIZE && found < CPUS_PER_KIND; cpu++)
		if (capacity_of(cpu) == capacity)
			cpus[found++] = cpu;
	return found;
}

static void find_cgroup2(void)
{
	FILE *mounts = setmntent("/proc/mounts", "r");
	struct mntent *mount;

	if (!mounts)
		die("/proc/mounts");
	while ((mount = getmntent(mounts)))
		if (!strcmp(mount->mnt_type, "cgroup2"))
			snprintf(cgroup_root, sizeof(cgroup_root), "%s", mount->mnt_dir);
	endmntent(mounts);
}

bool find_cpus(void)
{
	little_capacity = INT_MAX;
	for (int cpu = 0; cpu < CPU_SETSIZE; cpu++) {
		int capacity = capacity_of(cpu);

		if (capacity > big_capacity)
			big_capacity = capacity;
		if (capacity && capacity < little_capacity)
			little_capacity = capacity;
	}
	find_cgroup2();
	return little_capacity < big_capacity &&
	       first_of(little_capacity, little) == CPUS_PER_KIND &&
	       first_of(big_capacity, big) == CPUS_PER_KIND;
}

cpu_set_t cpus_of(int count, const int *cpus)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	for (int i = 0; i < count; i++)
		CPU_SET(cpus[i], &set);
	return set;
}

cpu_set_t all_cpus(void)
{
	cpu_set_t set;

	memset(&set, 0xff, sizeof(set));
	return set;
}

bool is_little(int cpu)
{
	return capacity_of(cpu) == little_capacity;
}

/* Returns 0 or an errno. */
static int put(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY), err = 0;

	if (fd < 0)
		return errno;
	if (write(fd, text, strlen(text)) < 0)
		err = errno;
	close(fd);
	return err;
}

static int put_online(int cpu, const char *value)
{
	char path[64];

	snprintf(path, sizeof(path), "/sys/devices/system/cpu/cpu%d/online", cpu);
	return put(path, value);
}

void offline(int cpu)
{
	errno = put_online(cpu, "0");
	if (errno)
		die("CPU %d offline", cpu);
}

/* The number of the hotplug step that takes a CPU from the scheduler. */
static int deactivation_step(void)
{
	FILE *steps = fopen("/sys/devices/system/cpu/hotplug/states", "r");
	char line[200];
	int step = -1;

	if (!steps)
		die("/sys/devices/system/cpu/hotplug/states");
	while (step < 0 && fgets(line, sizeof(line), steps))
		if (strstr(line, ": sched:active"))
			step = atoi(line);
	fclose(steps);
	return step;
}

void fail_offline(int cpu)
{
	char path[64], step[16];

	snprintf(path, sizeof(path), "/sys/devices/system/cpu/cpu%d/hotplug/fail", cpu);
	snprintf(step, sizeof(step), "%d", deactivation_step());
	errno = put(path, step);
	if (errno)
		die("%s", path);
	errno = put_online(cpu, "0");
	if (errno != EAGAIN)
		die("CPU %d, told to fail going offline", cpu);
}

static const char *in_group(const char *file)
{
	static char path[PATH_MAX + 64];

	snprintf(path, sizeof(path), "%s/" GROUP "/%s", cgroup_root, file);
	return path;
}

const char *make_partition(const char *type, const char *cpus)
{
	static char state[200];
	char path[PATH_MAX + 32];
	FILE *file;

	if (!cgroup_root[0])
		return "cgroup2 is not mounted";
	snprintf(path, sizeof(path), "%s/cgroup.subtree_control", cgroup_root);
	if (put(path, "+cpuset"))
		return "the cpuset controller is not in cgroup2";
	if (mkdir(in_group(""), 0755))
		die("mkdir %s", in_group(""));
	if (put(in_group("cpuset.cpus"), cpus) ||
	    put(in_group("cpuset.cpus.partition"), type))
		return "cpuset partitions are not available";

	file = fopen(in_group("cpuset.cpus.partition"), "r");
	if (!file || !fgets(state, sizeof(state), file))
		die("%s", in_group("cpuset.cpus.partition"));
	fclose(file);
	state[strcspn(state, "\n")] = 0;
	return strcmp(state, type) ? state : NULL;
}

void join_partition(void)
{
	errno = put(in_group("cgroup.procs"), "0");
	if (errno)
		die("%s", in_group("cgroup.procs"));
}

void restore_machine(void)
{
	for (int cpu = 0; cpu < CPU_SETSIZE; cpu++)
		put_online(cpu, "1");

	/* A killed process leaves its group a little later. */
	while (cgroup_root[0] && rmdir(in_group("")) && errno == EBUSY)
		usleep(1000);
}
