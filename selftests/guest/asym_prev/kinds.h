/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The machine's CPUs by capacity. */
#ifndef KINDS_H
#define KINDS_H

#include <stdbool.h>

#define CPUS_PER_KIND 4

/* The first CPUs of the smallest and of the biggest capacity, by number. */
extern int little[CPUS_PER_KIND], big[CPUS_PER_KIND];
extern int little_capacity, big_capacity;

/* Fills in the above; false if the machine has not four CPUs of two capacities. */
bool find_kinds(void);
bool is_little(int cpu);

#endif
