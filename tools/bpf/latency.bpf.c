// SPDX-License-Identifier: GPL-2.0-only
// How long tasks wait for a CPU. A wait counts if it begins and ends between start and stop.
#include "bpf/waiting.h"

#include "bpf/latency.h"

struct {
    __uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
    __uint(max_entries, latency_kinds);
    __type(key, __u32);
    __type(value, struct latency_histogram);
} histograms SEC(".maps");

// BPF has no comparison but branches, which waits of any length would mislead: a difference's sign compares here.
static __always_inline __u32 bucket_of(__u64 value)
{
    __u64 rest = value >> (latency_linear_bits + 1);
    __u32 shift = rest != 0;
    for (int half = 32; half > 0; half /= 2) {
        barrier_var(rest); // or clang makes it a branch again
        __u32 more = (((1ULL << half) - 1 - rest) >> 63) * half; // does `rest` have more bits?
        shift += more;
        rest >>= more;
    }
    return (shift << latency_linear_bits) + (value >> shift);
}

static __always_inline void count(__u32 kind, __u64 ns)
{
    struct latency_histogram *histogram = bpf_map_lookup_elem(&histograms, &kind);
    __u32 bucket = bucket_of(ns);
    if (!histogram || bucket >= latency_buckets)
        return;
    histogram->buckets[bucket]++;
    histogram->count++;
    histogram->sum += ns;
    if (ns > histogram->max)
        histogram->max = ns;
}

// The task waits from now on: for being queued (`waking`), or for its turn.
static __always_inline void begin_wait(struct task_struct *p, bool waking)
{
    if (!counting || !in_scope(p))
        return;
    struct waiting *set = waiting_set(p), *entry = find_in(set, p);
    if (!entry) {
        entry = add_to(set, p);
        if (!entry)
            return;
        entry->since = entry->mark = 0;
    }
    __u64 time = bpf_ktime_get_ns();
    if (waking)
        entry->mark = time;
    else
        entry->since = time;
}

static __always_inline void forget(struct task_struct *p)
{
    struct waiting *entry = find_waiting(p);
    if (entry)
        entry->task = 0;
}

SEC("tp_btf/sched_waking")
int BPF_PROG(on_waking, struct task_struct *p)
{
    begin_wait(p, true);
    return 0;
}

SEC("tp_btf/sched_wakeup")
int BPF_PROG(on_wakeup, struct task_struct *p)
{
    if (p->on_cpu) // it had not left its CPU yet: it does not wait
        forget(p);
    else
        begin_wait(p, false);
    return 0;
}

SEC("tp_btf/sched_wakeup_new")
int BPF_PROG(on_wakeup_new, struct task_struct *p)
{
    remember_new(p);
    begin_wait(p, false);
    return 0;
}

SEC("tp_btf/sched_switch")
int BPF_PROG(on_switch, bool preempt, struct task_struct *prev, struct task_struct *next, unsigned int prev_state)
{
    if (!counting)
        return 0;
    if (prev->pid != 0 && (preempt || prev_state == 0))
        begin_wait(prev, false);
    struct waiting *entry = next->pid != 0 ? find_waiting(next) : 0;
    if (!entry)
        return 0;
    __u64 time = bpf_ktime_get_ns();
    if (entry->mark)
        count(latency_waking, time - entry->mark);
    if (entry->since)
        count(latency_runnable, time - entry->since);
    entry->task = 0;
    return 0;
}
