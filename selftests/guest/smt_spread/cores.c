// SPDX-License-Identifier: GPL-2.0-or-later
#define _GNU_SOURCE

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../harness/ktap.h"
#include "cores.h"

struct core cores[MOST_CORES];
int core_count, node_count;

static int cpu_count(void)
{
	return sysconf(_SC_NPROCESSORS_CONF);
}

/* Of a file that not all machines have. */
static int number_in(const char *path, int otherwise)
{
	FILE *file = fopen(path, "r");
	int number = otherwise;

	if (file) {
		if (fscanf(file, "%d", &number) != 1)
			die("%s", path);
		fclose(file);
	}
	return number;
}

static int first_sibling(int cpu)
{
	char path[80];

	/* A list: its first number is the core's first CPU. */
	snprintf(path, sizeof(path), "/sys/devices/system/cpu/cpu%d/topology/thread_siblings_list", cpu);
	return number_in(path, cpu);
}

static int capacity_of(int cpu)
{
	char path[80];

	snprintf(path, sizeof(path), "/sys/devices/system/cpu/cpu%d/cpu_capacity", cpu);
	return number_in(path, 1024);
}

static int node_of(int cpu)
{
	char path[80];

	for (int node = 0; node < MOST_CORES; node++) {
		snprintf(path, sizeof(path), "/sys/devices/system/cpu/cpu%d/node%d", cpu, node);
		if (!access(path, F_OK))
			return node;
	}
	return 0;
}

void find_cores(void)
{
	for (int cpu = 0; cpu < cpu_count(); cpu++) {
		int first = first_sibling(cpu);
		struct core *core;

		if (first == cpu) {
			if (core_count == MOST_CORES)
				die("more than %d cores", MOST_CORES);
			core = &cores[core_count++];
			core->node = node_of(cpu);
			core->capacity = capacity_of(cpu);
			if (core->node >= node_count)
				node_count = core->node + 1;
		} else {
			core = &cores[core_of(first)];
		}
		if (core->threads == MOST_THREADS)
			die("more than %d threads a core", MOST_THREADS);
		core->cpus[core->threads++] = cpu;
	}
}

int core_of(int cpu)
{
	for (int core = 0; core < core_count; core++)
		for (int i = 0; i < cores[core].threads; i++)
			if (cores[core].cpus[i] == cpu)
				return core;
	die("CPU %d is on no core", cpu);
}

static int cores_of_node(int node)
{
	int count = 0;

	for (int core = 0; core < core_count; core++)
		count += cores[core].node == node;
	return count;
}

int least_threads(void)
{
	int least = MOST_THREADS;

	for (int core = 0; core < core_count; core++)
		if (cores[core].threads < least)
			least = cores[core].threads;
	return least;
}

int most_capacity(void)
{
	int most = 0;

	for (int core = 0; core < core_count; core++)
		if (cores[core].capacity > most)
			most = cores[core].capacity;
	return most;
}

bool nodes_of(int nodes, int cores_each)
{
	for (int node = 0; node < node_count; node++)
		if (cores_of_node(node) != cores_each)
			return false;
	return node_count == nodes && least_threads() >= 2;
}

const char *find_big(const struct core **big)
{
	int found = 0;

	for (int core = 0; core < core_count && found < 2; core++)
		if (cores[core].capacity == most_capacity())
			big[found++] = &cores[core];
	return found == 2 && found < core_count && least_threads() >= 2 &&
	       cores[0].capacity < most_capacity() ?
	       NULL : "needs little cores and two big ones, with hyper-threads";
}

const char *list_without(int count, const int *kept)
{
	static char list[1024];
	size_t length = 0;

	for (int cpu = 0; cpu < cpu_count(); cpu++) {
		bool is_kept = false;

		for (int i = 0; i < count; i++)
			is_kept |= kept[i] == cpu;
		if (!is_kept && length < sizeof(list))
			length += snprintf(list + length, sizeof(list) - length, "%s%d",
					   length ? "," : "", cpu);
	}
	return list;
}
