/* SPDX-License-Identifier: GPL-2.0-only */
/* What all probes share between BPF (C) and user space (C++). */
#pragma once

enum {
    probe_max_cpus = 512,    /* CPU numbers below this are counted, others are a loss */
    probe_max_tasks = 32768, /* live tasks that a scope can hold */
    probe_cpu_words = probe_max_cpus / 64,
};

struct probe_cpus {
    unsigned long long word[probe_cpu_words]; /* CPU n is bit n % 64 of word n / 64 */
};

/* CPUs that nothing is placed on, whatever they do: not online, or isolated from the scheduler's domains. */
enum probe_apart { apart_offline = 1, apart_isolated = 2 };

/* Tasks that wait for a CPU are kept in sets of four (bpf/waiting.h); their number is a power of two. */
enum { probe_waiting_sets = 4096, probe_waiting_ways = 4 };

/* One task: a PID means it only together with when it started. */
struct probe_task_key {
    unsigned long long start_time;
    unsigned int pid, tgid;
};

/* A stopwatch that any CPU starts or stops, in any order and without a lock: each is one atomic addition, which
 * never leaves it inconsistent. In `word`, from bit 54 on, how often it runs; below, the sum of the times at which
 * it was stopped, less those at which it was started. Times are nanoseconds since `epoch`, up to 2^53: 104 days. */
enum { probe_watch_shift = 54 };

struct probe_watch {
    unsigned long long word;
};

/* What it shows at `now`. */
static inline unsigned long long probe_watch_read(unsigned long long word, unsigned long long now)
{
    unsigned long long running = (word + (1ULL << (probe_watch_shift - 1))) >> probe_watch_shift;
    return word - (running << probe_watch_shift) + running * now;
}

/* What could not be counted. */
struct probe_losses {
    unsigned long long map_full;     /* tasks of the scope that could not be remembered */
    unsigned long long waiting_full; /* waiting tasks that could not be */
    unsigned long long unknown_cpu;  /* events on a CPU that the topology does not have */
};
