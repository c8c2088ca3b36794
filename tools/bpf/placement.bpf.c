// SPDX-License-Identifier: GPL-2.0-only
// Where tasks are placed: wakeups and migrations, aggregated per CPU in the kernel.
//
// What the code relies on (kernel/sched/core.c of 6.1, 6.12 and 7.3):
// * try_to_wake_up() runs on one CPU from sched_waking to its choice, under p->pi_lock, and calls
//   set_task_cpu(), which raises sched_migrate_task, exactly when the choice differs from the previous CPU.
//   So a wakeup stays unless a migration of the same task follows here.
// * A task that has not left its CPU (on_rq, on_cpu) is woken there, as a rule: nothing is chosen.
// * set_task_cpu() raises sched_migrate_task also when nothing changes; se.nr_migrations grows only when the CPU does.
// * A new task gets its first CPU without set_task_cpu() and without being counted in se.nr_migrations.
#include "bpf/idle.h"
#include "bpf/waiting.h"

#include "bpf/placement.h"

struct placement_counts counts[probe_max_cpus] __attribute__((aligned(64)));
__u8 step[probe_max_cpus][probe_max_cpus]; // [from][to]
struct probe_cpus cluster[probe_max_cpus], llc[probe_max_cpus]; // of each CPU, itself included
__u32 capacity[probe_max_cpus];
const volatile bool asymmetric, clustered; // the machine has CPUs of several capacities, a cluster level
static __u32 woken[probe_max_cpus];        // how many tasks were woken and wait, by the CPU they wait on

// --- Views ------------------------------------------------------------------------------------------
const volatile bool per_task, per_event;
const volatile __u32 groups; // of CPUs between which migrations are counted; 0: they are not
__u16 group[probe_max_cpus]; // of each CPU
__u64 events_lost;

struct {
    __uint(type, BPF_MAP_TYPE_HASH);
    __uint(max_entries, probe_max_tasks);
    __type(key, struct probe_task_key);
    __type(value, struct placement_task);
} task_counts SEC(".maps");

struct {
    __uint(type, BPF_MAP_TYPE_ARRAY); // [from * groups + to]
    __uint(max_entries, 1);
    __type(key, __u32);
    __type(value, __u64);
} moves SEC(".maps");

struct {
    __uint(type, BPF_MAP_TYPE_RINGBUF);
    __uint(max_entries, 16 << 20);
} events SEC(".maps");

// The task's row, made if it has none; null: nobody asked for rows, or there are too many (a loss).
static __always_inline struct placement_task *row_of(struct task_struct *p)
{
    if (!per_task)
        return 0;
    struct probe_task_key key = {.start_time = p->start_time, .pid = p->pid, .tgid = p->tgid};
    struct placement_task *row = bpf_map_lookup_elem(&task_counts, &key);
    if (!row) {
        static const struct placement_task none;
        if (bpf_map_update_elem(&task_counts, &key, &none, BPF_ANY))
            __sync_fetch_and_add(&losses.map_full, 1);
        row = bpf_map_lookup_elem(&task_counts, &key);
    }
    if (row)
        bpf_probe_read_kernel(row->comm, sizeof(row->comm), p->comm);
    return row;
}

// Has the task left its CPU? Read once: what is recorded must be what is acted on.
static __always_inline __u8 not_left(struct task_struct *p)
{
    return (p->on_rq ? event_on_rq : 0) | (p->on_cpu ? event_on_cpu : 0);
}

static __always_inline void count_move(__u32 from, __u32 to)
{
    if (!groups)
        return;
    __u32 key = group[cpu_index(from)] * groups + group[cpu_index(to)];
    __u64 *move = bpf_map_lookup_elem(&moves, &key);
    if (move)
        __sync_fetch_and_add(move, 1);
}

static __always_inline void record(enum placement_event_kind kind, struct task_struct *p, __u8 flags, __u32 from,
                                   __u32 to)
{
    if (!per_event)
        return;
    struct placement_event *event = bpf_ringbuf_reserve(&events, sizeof(*event), 0);
    if (!event) {
        __sync_fetch_and_add(&events_lost, 1);
        return;
    }
    __builtin_memset(event, 0, sizeof(*event));
    event->time_ns = bpf_ktime_get_ns();
    event->kind = kind;
    event->cpu = bpf_get_smp_processor_id();
    event->from = from;
    event->to = to;
    event->flags = flags | (counting ? event_counted : 0);
    if (p) {
        event->task = (__u64)p;
        event->pid = p->pid;
        event->flags |= (in_scope(p) ? event_in_scope : 0) | (task_in_execve(p) ? event_in_execve : 0) |
                        (task_state(p) == TASK_WAKING ? event_is_waking : 0);
        event->utilization = task_utilization(p);
        allowed_cpus(p, &event->allowed);
    }
    bpf_ringbuf_submit(event, 0);
}

// --- Wakeups and migrations -------------------------------------------------------------------------
// The step between two CPUs, or placement_unknown_cpu (a loss).
static __always_inline __u8 step_between(__u32 from, __u32 to)
{
    __u8 s = placement_unknown_cpu;
    if (from < probe_max_cpus && to < probe_max_cpus)
        s = step[cpu_index(from)][cpu_index(to)];
    if (s >= placement_steps) {
        __sync_fetch_and_add(&losses.unknown_cpu, 1);
        return placement_unknown_cpu;
    }
    return s;
}

static __always_inline struct placement_counts *counts_of(__u32 cpu)
{
    return &counts[cpu_index(cpu)];
}

static __always_inline void count_miss(struct placement_counts *here, struct placement_task *row,
                                       enum placement_miss miss, int by)
{
    here->missed[miss] += by;
    if (row)
        __sync_fetch_and_add(&row->missed[miss], by);
}

// Is an allowed CPU idle around `cpu`, in its group of those that `around` (llc, cluster) tells?
static __always_inline bool idle_in(const struct probe_cpus *around, __u32 cpu, struct task_struct *p)
{
    return any_idle(p, &around[cpu_index(cpu)]);
}

// As fits_capacity() in kernel/sched/fair.c, and where it asks: with a fifth to spare, on asymmetric machines.
static __always_inline bool fits(struct task_struct *p, __u32 cpu)
{
    return !asymmetric || task_utilization(p) * 1280 < capacity[cpu_index(cpu)] * 1024ULL;
}

SEC("tp_btf/sched_waking")
int BPF_PROG(on_waking, struct task_struct *p)
{
    __u32 prev = task_cpu(p);
    __u8 flags = not_left(p);
    record(event_waking, p, flags, prev, prev);
    if (!counting || !in_scope(p))
        return 0;
    __u32 waker = bpf_get_smp_processor_id();
    __u8 s = step_between(waker, prev);
    if (s >= placement_steps)
        return 0;
    struct placement_counts *here = counts_of(waker);
    here->woken[s]++;
    here->waking = (__u64)p;
    here->waking_missed = 0;
    here->waking_step = s;
    struct placement_task *row = row_of(p);
    if (row)
        __sync_fetch_and_add(&row->wakeups, 1);
    if (!flags && !is_idle(prev) && idle_in(llc, prev, p)) {
        here->waking_missed = 1;
        count_miss(here, row, miss_idle, 1);
    }
    return 0;
}

// The order matters: a dying CPU's tasks may have their masks widened; a task in execve may be pulled by others.
static __always_inline enum placement_cause cause_of(struct task_struct *p, __u32 from, __u32 mover)
{
    if (task_state(p) == TASK_WAKING)
        return cause_wakeup;
    if (apart[cpu_index(from)] & apart_offline)
        return cause_hotplug;
    if (!task_allows(p, from)) // the mask changes first, then the task moves
        return cause_affinity;
    // sched_exec() has the stopper of the task's own CPU push it; balancing that pulls runs elsewhere.
    if (task_in_execve(p) && from == mover)
        return cause_exec;
    return cause_balance;
}

static __always_inline bool at_distance(__u8 step, int distance)
{
    return step / 3 == distance;
}

// Of a wakeup that moves its task. The kernel looks around the previous CPU or around the waker's: the one
// that it chose shares its LLC with the CPU it found.
static __always_inline void count_missed(struct placement_counts *here, struct task_struct *p, __u32 waker,
                                         __u32 from, __u32 to, __u8 moved, __u8 taken)
{
    struct placement_task *row = row_of(p);
    count_miss(here, row, miss_idle, -(int)here->waking_missed);
    if (is_idle(from) && task_allows(p, from) && fits(p, from))
        count_miss(here, row, miss_prev, 1);
    if (!is_idle(to) && idle_in(llc, to, p))
        count_miss(here, row, miss_idle, 1);
    if (clustered && moved / 3 >= distance_llc && taken / 3 >= distance_llc &&
        ((at_distance(moved, distance_llc) && idle_in(cluster, from, p)) ||
         (at_distance(taken, distance_llc) && idle_in(cluster, waker, p))))
        count_miss(here, row, miss_cluster, 1);
}

static __always_inline void count_choice(struct placement_counts *here, struct task_struct *p, __u32 waker,
                                         __u32 from, __u32 to, __u8 moved)
{
    __u64 left = here->waking_step; // not from `from`: a task that had not left its CPU may have been pulled since
    __u8 taken = step_between(waker, to);
    if (here->waking != (__u64)p || left >= placement_steps || taken >= placement_steps)
        return; // the wakeup began before counting did
    here->left[left]++;
    here->taken[taken]++;
    here->moved[moved]++;
    count_missed(here, p, waker, from, to, moved, taken);
    here->waking = 0;
}

static __always_inline void count_migration(struct task_struct *p, __u32 from, __u32 to)
{
    __u8 s = step_between(from, to);
    if (s >= placement_steps)
        return;
    __u32 mover = bpf_get_smp_processor_id();
    struct placement_counts *here = counts_of(mover);
    enum placement_cause cause = cause_of(p, from, mover);
    here->migrations[cause][s]++;
    count_move(from, to);
    struct placement_task *row = row_of(p);
    if (row)
        __sync_fetch_and_add(&row->migrations, 1);
    if (cause == cause_wakeup)
        count_choice(here, p, mover, from, to, s);
}

// --- Woken tasks that have not run yet --------------------------------------------------------------
static __always_inline void add_woken(__u32 cpu, int by)
{
    __sync_fetch_and_add(&woken[cpu_index(cpu)], by);
}

// A task waits on `cpu` from now on. How many that were woken waited there before it.
static __always_inline __u32 wait_on(struct task_struct *p, __u32 cpu)
{
    set_idle(cpu, false);
    struct waiting *set = waiting_set(p);
    if (find_in(set, p))
        return 0;
    __u32 others = woken[cpu_index(cpu)];
    struct waiting *entry = add_to(set, p);
    if (entry) {
        entry->where = cpu;
        add_woken(cpu, 1);
    }
    return others;
}

SEC("tp_btf/sched_migrate_task")
int BPF_PROG(on_migrate, struct task_struct *p, int to)
{
    __u32 from = task_cpu(p);
    if (from == (__u32)to)
        return 0;
    record(event_migrate, p, not_left(p), from, to);
    if (counting && in_scope(p))
        count_migration(p, from, to);
    set_idle(to, false);
    struct waiting *entry = find_waiting(p);
    if (entry) {
        add_woken(entry->where, -1);
        entry->where = to;
        add_woken(to, 1);
    }
    return 0;
}

SEC("tp_btf/sched_wakeup")
int BPF_PROG(on_wakeup, struct task_struct *p)
{
    __u32 cpu = task_cpu(p);
    __u8 flags = not_left(p);
    record(event_wakeup, p, flags, cpu, cpu);
    if (flags & event_on_cpu)
        return 0;
    if (wait_on(p, cpu) > 0 && counting && in_scope(p))
        count_miss(counts_of(bpf_get_smp_processor_id()), row_of(p), miss_stacked, 1);
    return 0;
}

SEC("tp_btf/sched_wakeup_new")
int BPF_PROG(on_wakeup_new, struct task_struct *p)
{
    __u32 cpu = task_cpu(p);
    remember_new(p);
    record(event_fork, p, not_left(p), cpu, cpu);
    wait_on(p, cpu);
    if (!counting || !in_scope(p))
        return 0;
    __u32 forker = bpf_get_smp_processor_id();
    __u8 s = step_between(forker, cpu);
    if (s < placement_steps)
        counts_of(forker)->forked[s]++;
    row_of(p);
    return 0;
}

SEC("tp_btf/sched_switch")
int BPF_PROG(on_switch, bool preempt, struct task_struct *prev, struct task_struct *next)
{
    __u32 cpu = bpf_get_smp_processor_id();
    record(event_switch, next, not_left(next), cpu, cpu);
    idle_switch(cpu, prev, next);
    if (next->pid == 0 || !woken[cpu_index(cpu)])
        return 0;
    struct waiting *entry = find_waiting(next);
    if (entry) {
        add_woken(entry->where, -1);
        entry->task = 0;
    }
    return 0;
}

SEC("tp_btf/cpuhp_enter")
int BPF_PROG(on_hotplug, unsigned int cpu, int target, int state)
{
    idle_hotplug(cpu, target, state);
    record(event_hotplug, 0, 0, cpu, is_apart(cpu));
    if (is_apart(cpu))
        set_idle(cpu, false);
    return 0;
}
