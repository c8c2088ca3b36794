// SPDX-License-Identifier: GPL-2.0-or-later
#define _GNU_SOURCE

#include <limits.h>
#include <sched.h>
#include <stdio.h>

#include "kinds.h"

int little[CPUS_PER_KIND], big[CPUS_PER_KIND];
int little_capacity, big_capacity;

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

bool find_kinds(void)
{
	little_capacity = INT_MAX;
	for (int cpu = 0; cpu < CPU_SETSIZE; cpu++) {
		int capacity = capacity_of(cpu);

		if (capacity > big_capacity)
			big_capacity = capacity;
		if (capacity && capacity < little_capacity)
			little_capacity = capacity;
	}
	return little_capacity < big_capacity &&
	       first_of(little_capacity, little) == CPUS_PER_KIND &&
	       first_of(big_capacity, big) == CPUS_PER_KIND;
}

bool is_little(int cpu)
{
	return capacity_of(cpu) == little_capacity;
}
