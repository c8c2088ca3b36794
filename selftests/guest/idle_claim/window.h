/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The window between the moment in which a wakeup has chosen a CPU and the one
 * in which its task is queued there, held open. A BPF program at the tracepoint
 * sched_migrate_task, which lies in it, waits there until it is told to go on:
 * the task is always one that must leave its previous CPU.
 */
#ifndef WINDOW_H
#define WINDOW_H

#include "../harness/actor.h"

/* Returns why windows cannot be held open here, or NULL. */
const char *find_window(void);

/*
 * Emulated CPUs take turns, which last until the next timer or until a CPU that
 * spins says so. It does here, while a window is open or opening: otherwise that
 * would be old before the next one's turn.
 */
void relax(void);
/* As keep_busy(), and relaxes. */
void hog(int cpu, int policy);

/*
 * Lets a process on CPU @waker wake @wakee, and returns, while that wakeup is in
 * the window, the CPU it has chosen. Another process sleeps on CPU @short_turns
 * meanwhile, for microseconds at a time: below @waker, so that it has its turn,
 * and sets the next timer, first.
 */
int open_window(int waker, const struct wakee *wakee, int short_turns);
int window_age_us(void);
/* The test is void if the window has closed by itself, as it does in the end. */
void close_window(void);

long long now_ns(void);

#endif
