/* SPDX-License-Identifier: GPL-2.0-only */
/* What the latency programs count, shared between BPF (C) and user space (C++). */
#pragma once

enum latency_kind {
    latency_waking,   /* from sched_waking until the task runs: the choice of a CPU included */
    latency_runnable, /* from when it is queued, woken, new or preempted, until it runs */
    latency_kinds
};

/* The memory of a schedlab::Histogram, of nanoseconds: values below 128 have a bucket each; above, each power of
 * two is cut into 64, so a bucket is at most 1/64 of its lowest value wide. */
enum { latency_linear_bits = 6, latency_buckets = (64 - latency_linear_bits + 1) << latency_linear_bits };

struct latency_histogram {
    unsigned long long buckets[latency_buckets];
    unsigned long long count, sum, max;
};
