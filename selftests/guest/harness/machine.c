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

#define MOST_PARTITIONS 8

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

/* Where cgroup2 is mounted; empty: nowhere. */
static const char *cgroup_root(void)
{
	static char root[PATH_MAX / 2];
	FILE *mounts = setmntent("/proc/mounts", "r");
	struct mntent *mount;

	if (!mounts)
		die("/proc/mounts");
	while (!root[0] && (mount = getmntent(mounts)))
		if (!strcmp(mount->mnt_type, "cgroup2"))
			snprintf(root, sizeof(root), "%s", mount->mnt_dir);
	endmntent(mounts);
	return root;
}

/* Tests run in processes of their own: a partition is known by its name alone. */
static const char *in_partition(int partition, const char *file)
{
	static char path[PATH_MAX];

	snprintf(path, sizeof(path), "%s/selftest_%d/%s", cgroup_root(), partition, file);
	return path;
}

const char *make_partition(int partition, const char *type, const char *cpus)
{
	static char state[200];
	char path[PATH_MAX];
	FILE *file;

	if (!cgroup_root()[0])
		return "cgroup2 is not mounted";
	snprintf(path, sizeof(path), "%s/cgroup.subtree_control", cgroup_root());
	if (put(path, "+cpuset"))
		return "the cpuset controller is not in cgroup2";
	if (mkdir(in_partition(partition, ""), 0755))
		die("mkdir %s", in_partition(partition, ""));
	if (put(in_partition(partition, "cpuset.cpus"), cpus) ||
	    put(in_partition(partition, "cpuset.cpus.partition"), type))
		return "cpuset partitions are not available";

	file = fopen(in_partition(partition, "cpuset.cpus.partition"), "r");
	if (!file || !fgets(state, sizeof(state), file))
		die("%s", in_partition(partition, "cpuset.cpus.partition"));
	fclose(file);
	state[strcspn(state, "\n")] = 0;
	return strcmp(state, type) ? state : NULL;
}

void join_partition(int partition)
{
	errno = put(in_partition(partition, "cgroup.procs"), "0");
	if (errno)
		die("%s", in_partition(partition, "cgroup.procs"));
}

void remove_partition(int partition)
{
	/* A killed process leaves its group a little later. */
	while (rmdir(in_partition(partition, "")) && errno == EBUSY)
		usleep(1000);
}

void restore_machine(void)
{
	for (int cpu = 0; cpu < CPU_SETSIZE; cpu++)
		put_online(cpu, "1");
	for (int partition = 0; cgroup_root()[0] && partition < MOST_PARTITIONS; partition++)
		remove_partition(partition);
}
