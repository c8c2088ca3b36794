// SPDX-License-Identifier: GPL-2.0-only
// Where tasks are placed: wakeups and migrations, aggregated per CPU in the kernel.
//
// What the code relies on (kernel/sched/core.c of 6.1, 6.12 and 7.3):
// * try_to_wake_up() runs on one CPU from sched_waking to its choice, under p->pi_lock, and calls
//   set_task_cpu(), which raises sched_migrate_task, exactly when the choice differs from the previous CPU.
//   So one program per wakeup is enough: a wakeup stays unless a migration of the same task follows here.
// * set_task_cpu() raises sched_migrate_task also when nothing changes; se.nr_migrations grows only when the CPU does.
// * A new task gets its first CPU without set_task_cpu() and without being counted in se.nr_migrations.
// * sched_wakeup_new is raised by the creator, before the task can run, be woken or migrated. That holds for
//   io_uring's and vhost's workers too, for which there is no sched_process_fork.
#include "bpf/compat.h"

#include <bpf/bpf_tracing.h>

#include "bpf/placement.h"

char LICENSE[] SEC("license") = "GPL";

enum scope { scope_system, scope_self, scope_descendants };
const volatile int scope = scope_system; // enum ProbeScope

struct placement_counts counts[placement_max_cpus] __attribute__((aligned(64)));
__u8 step[placement_max_cpus][placement_max_cpus]; // [from][to]
__u8 leaving[placement_max_cpus];                  // CPUs on their way down, or down
struct placement_losses losses;
int owner_tgid; // of the process that loaded us, as the kernel numbers it, whatever its PID namespace
int counting;

// Tasks of the scope that are not the owner's threads. The key is the task_struct's address: unlike a PID it means
// one task from its creation until sched_process_free, across exec.
struct {
    __uint(type, BPF_MAP_TYPE_HASH);
    __uint(max_entries, placement_max_tasks);
    __type(key, __u64);
    __type(value, __u8);
} tasks SEC(".maps");

// Some of them, by address: a load's few tasks are found here without a look into the map.
enum { recent_slots = 256 };
__u64 recent[recent_slots];

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

// The step between two CPUs, or placement_unknown_cpu (a loss).
static __always_inline __u8 step_between(__u32 from, __u32 to)
{
    __u8 s = placement_unknown_cpu;
    if (from < placement_max_cpus) {
        barrier_var(to); // or clang joins the two checks into one that the verifier cannot follow
        if (to < placement_max_cpus)
            s = step[from][to];
    }
    if (s >= placement_steps) {
        __sync_fetch_and_add(&losses.unknown_cpu, 1);
        return placement_unknown_cpu;
    }
    return s;
}

static __always_inline struct placement_counts *counts_here(void)
{
    return &counts[bpf_get_smp_processor_id() & (placement_max_cpus - 1)];
}

SEC("tp_btf/sched_waking")
int BPF_PROG(on_waking, struct task_struct *p)
{
    if (!counting || !in_scope(p))
        return 0;
    __u8 s = step_between(bpf_get_smp_processor_id(), task_cpu(p));
    if (s >= placement_steps)
        return 0;
    struct placement_counts *here = counts_here();
    here->woken[s]++;
    here->waking = (__u64)p;
    return 0;
}

// The order matters: a dying CPU's tasks may have their masks widened; a task in execve may be pulled by others.
static __always_inline enum placement_cause cause_of(struct task_struct *p, __u32 from)
{
    if (task_state(p) == TASK_WAKING)
        return cause_wakeup;
    if (leaving[from & (placement_max_cpus - 1)])
        return cause_hotplug;
    if (!task_allows(p, from)) // the mask changes first, then the task moves
        return cause_affinity;
    // sched_exec() has the stopper of the task's own CPU push it; balancing that pulls runs elsewhere.
    if (task_in_execve(p) && from == bpf_get_smp_processor_id())
        return cause_exec;
    return cause_balance;
}

static __always_inline void count_choice(struct placement_counts *here, struct task_struct *p, __u32 from, __u32 to,
                                         __u8 moved)
{
    __u32 waker = bpf_get_smp_processor_id();
    __u8 left = step_between(waker, from);
    __u8 taken = step_between(waker, to);
    if (here->waking != (__u64)p || left >= placement_steps || taken >= placement_steps)
        return; // the wakeup began before counting did
    here->left[left]++;
    here->taken[taken]++;
    here->moved[moved]++;
    here->waking = 0;
}

SEC("tp_btf/sched_migrate_task")
int BPF_PROG(on_migrate, struct task_struct *p, int to)
{
    __u32 from = task_cpu(p);
    if (!counting || from == (__u32)to || !in_scope(p))
        return 0;
    __u8 s = step_between(from, to);
    if (s >= placement_steps)
        return 0;
    struct placement_counts *here = counts_here();
    enum placement_cause cause = cause_of(p, from);
    here->migrations[cause][s]++;
    if (cause == cause_wakeup)
        count_choice(here, p, from, to, s);
    return 0;
}

SEC("tp_btf/sched_wakeup_new")
int BPF_PROG(on_wakeup_new, struct task_struct *p)
{
    if (scope != scope_system) {
        struct task_struct *parent = bpf_get_current_task_btf();
        if (parent->tgid != owner_tgid && !in_scope(parent))
            return 0;
        __u64 key = (__u64)p;
        __u8 value = 1;
        if (p->tgid != owner_tgid && bpf_map_update_elem(&tasks, &key, &value, BPF_ANY))
            __sync_fetch_and_add(&losses.map_full, 1);
    }
    if (!counting || !in_scope(p))
        return 0;
    __u8 s = step_between(bpf_get_smp_processor_id(), task_cpu(p));
    if (s < placement_steps)
        counts_here()->forked[s]++;
    return 0;
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

// Raised for each state a CPU passes on its way down (target below the state) or up.
SEC("tp_btf/cpuhp_enter")
int BPF_PROG(on_hotplug, unsigned int cpu, int target, int state)
{
    barrier_var(cpu); // or clang checks one copy of it and uses another
    if (cpu < placement_max_cpus)
        leaving[cpu] = target < state;
    return 0;
}

// Run once by the owner: in a PID namespace, getpid() is not what the kernel calls it.
SEC("syscall")
int learn_owner(void *context)
{
    owner_tgid = bpf_get_current_pid_tgid() >> 32;
    return 0;
}
