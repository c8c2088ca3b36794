// SPDX-License-Identifier: GPL-2.0-only
// Whose tasks a probe counts, and when. Each probe's object has a copy of all this.
//
// sched_wakeup_new is raised by the creator, before the task can run, be woken or migrated. That holds for
// io_uring's and vhost's workers too, for which there is no sched_process_fork.
#pragma once

#include "bpf/compat.h"
#include "bpf/probe.h"

#include <bpf/bpf_tracing.h>

char LICENSE[] SEC("license") = "GPL";

enum scope { scope_system, scope_self, scope_descendants };
const volatile int scope = scope_system; // enum ProbeScope

struct probe_losses losses;
int owner_tgid; // of the process that loaded us, as the kernel numbers it, whatever its PID namespace
int counting;

// Tasks of the scope that are not the owner's threads. The key is the task_struct's address: unlike a PID it means
// one task from its creation until sched_process_free, across exec.
struct {
    __uint(type, BPF_MAP_TYPE_HASH);
    __uint(max_entries, probe_max_tasks);
    __type(key, __u64);
    __type(value, __u8);
} tasks SEC(".maps");

// Some of them, by address: a load's few tasks are found here without a look into the map.
enum { recent_slots = 256 };
static __u64 recent[recent_slots];

static __always_inline __u64 *recent_slot(__u64 key)
{
    return &recent[(key >> 6 ^ key >> 14) & (recent_slots - 1)];
}

static __always_inline bool in_scope(struct task_struct *p)
{
    if (scope == scope_system)
        return p->pid != 0;
    if (scope == scope_self && p->tgid == owner_tgid)
        return true;
    __u64 key = (__u64)p;
    __u64 *slot = recent_slot(key);
    if (*slot == key)
        return true;
    if (!bpf_map_lookup_elem(&tasks, &key))
        return false;
    *slot = key;
    return true;
}

// For sched_wakeup_new: a task belongs to the scope if its creator does.
static __always_inline void remember_new(struct task_struct *p)
{
    if (scope == scope_system || p->tgid == owner_tgid)
        return;
    struct task_struct *parent = bpf_get_current_task_btf();
    if (parent->tgid != owner_tgid && !in_scope(parent))
        return;
    __u64 key = (__u64)p;
    __u8 value = 1;
    if (bpf_map_update_elem(&tasks, &key, &value, BPF_ANY))
        __sync_fetch_and_add(&losses.map_full, 1);
}

// The task is gone for good: nothing can wake, migrate or find it any more.
SEC("tp_btf/sched_process_free")
int BPF_PROG(on_free, struct task_struct *p)
{
    __u64 key = (__u64)p;
    bpf_map_delete_elem(&tasks, &key);
    if (*recent_slot(key) == key)
        *recent_slot(key) = 0;
    return 0;
}

// Run once by the owner: in a PID namespace, getpid() is not what the kernel calls it.
SEC("syscall")
int learn_owner(void *context)
{
    owner_tgid = bpf_get_current_pid_tgid() >> 32;
    return 0;
}
