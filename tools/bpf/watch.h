// SPDX-License-Identifier: GPL-2.0-only
// The BPF side of struct probe_watch.
#pragma once

#include "bpf/scope.h"

__u64 epoch; // CLOCK_MONOTONIC when the owner attached us: all times count from there

static __always_inline __u64 now(void)
{
    return bpf_ktime_get_ns() - epoch;
}

static __always_inline void start_watch(struct probe_watch *watch, __u64 time)
{
    __sync_fetch_and_add(&watch->word, (1ULL << probe_watch_shift) - time);
}

static __always_inline void stop_watch(struct probe_watch *watch, __u64 time)
{
    __sync_fetch_and_add(&watch->word, time - (1ULL << probe_watch_shift));
}
