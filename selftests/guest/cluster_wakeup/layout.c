// SPDX-License-Identifier: GPL-2.0-or-later
#define _GNU_SOURCE

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "layout.h"

#define LEAST_CLUSTER 4

int clusters, cluster_cpus, core_threads;

static cpu_set_t llc;
static cpu_set_t cluster[CPU_SETSIZE];

/* A file of a CPU's directory in sysfs; NULL if it is not there. */
__attribute__((format(printf, 2, 3)))
static FILE *cpu_file(int cpu, const char *format, ...)
{
	char path[128], name[64];
	va_list args;

	va_start(args, format);
	vsnprintf(name, sizeof(name), format, args);
	va_end(args);
	snprintf(path, sizeof(path), "/sys/devices/system/cpu/cpu%d/%s", cpu, name);
	return fopen(path, "r");
}

/* Reads a list of CPUs ("0-3,8") and closes the file. Empty without a file. */
static cpu_set_t read_list(FILE *file)
{
	int first, last;
	cpu_set_t set;

	CPU_ZERO(&set);
	if (!file)
		return set;
	while (fscanf(file, "%d", &first) == 1) {
		if (fscanf(file, "-%d", &last) != 1)
			last = first;
		for (int cpu = first; cpu <= last; cpu++)
			CPU_SET(cpu, &set);
		if (fgetc(file) != ',')
			break;
	}
	fclose(file);
	return set;
}

static int read_number(FILE *file)
{
	int number = 0;

	if (!file)
		return 0;
	if (fscanf(file, "%d", &number) != 1)
		number = 0;
	fclose(file);
	return number;
}

static cpu_set_t last_level_cache(int cpu)
{
	int highest = 0, level;
	cpu_set_t sharers;

	CPU_ZERO(&sharers);
	for (int i = 0; (level = read_number(cpu_file(cpu, "cache/index%d/level", i))); i++) {
		if (level <= highest)
			continue;
		highest = level;
		sharers = read_list(cpu_file(cpu, "cache/index%d/shared_cpu_list", i));
	}
	return sharers;
}

static int first_cpu(const cpu_set_t *set)
{
	for (int cpu = 0; cpu < CPU_SETSIZE; cpu++)
		if (CPU_ISSET(cpu, set))
			return cpu;
	return -1;
}

bool find_clusters(void)
{
	cpu_set_t left = llc = last_level_cache(0), core = core_set(0);

	core_threads = CPU_COUNT(&core);
	while (CPU_COUNT(&left)) {
		cpu_set_t *next = &cluster[clusters++];

		*next = read_list(cpu_file(first_cpu(&left), "topology/cluster_cpus_list"));
		if (clusters == 1)
			cluster_cpus = CPU_COUNT(next);
		if (CPU_COUNT(next) != cluster_cpus || cluster_cpus < LEAST_CLUSTER)
			return false;
		left = without(left, *next);
	}
	return clusters > 0;
}

int cpu_in(int which, int n)
{
	for (int cpu = 0; cpu < CPU_SETSIZE; cpu++)
		if (CPU_ISSET(cpu, &cluster[which]) && !n--)
			return cpu;
	return -1;
}

cpu_set_t cluster_set(int which)
{
	return cluster[which];
}

cpu_set_t llc_set(void)
{
	return llc;
}

cpu_set_t core_set(int cpu)
{
	return read_list(cpu_file(cpu, "topology/thread_siblings_list"));
}

bool asymmetric(void)
{
	int first = read_number(cpu_file(0, "cpu_capacity"));

	for (int cpu = 1; cpu < CPU_SETSIZE; cpu++) {
		FILE *file = cpu_file(cpu, "cpu_capacity");

		if (file && read_number(file) != first)
			return true;
	}
	return false;
}

cpu_set_t without(cpu_set_t from, cpu_set_t taken)
{
	cpu_set_t both;

	CPU_AND(&both, &from, &taken);
	CPU_XOR(&from, &from, &both);
	return from;
}

cpu_set_t without_cpu(cpu_set_t from, int cpu)
{
	CPU_CLR(cpu, &from);
	return from;
}
