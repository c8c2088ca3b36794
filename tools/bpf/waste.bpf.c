// SPDX-License-Identifier: GPL-2.0-only
// CPU time that was there and not used: a task waited while a CPU that it may use idled; two CPUs of a core,
// cluster, LLC or node were busy while all of another idled.
//
// Idle is what bpf/idle.h says: a CPU that was given a task is busy, though it may not run it yet.
#include "bpf/idle.h"
#include "bpf/waiting.h"
#include "bpf/watch.h"

#include "bpf/waste.h"

__u16 group[waste_levels][probe_max_cpus];                 // of each CPU
struct probe_cpus members[waste_levels][probe_max_cpus];   // of each group
__u32 busy[waste_levels][probe_max_cpus];                  // how many of a group's CPUs are: at first all
static __u32 idle_cpus[waste_levels][probe_max_cpus];      // how many of a group's CPUs are
struct probe_watch some_idle[waste_levels][probe_max_cpus]; // running while a group has an idle CPU

// Of each level, how many of its groups have two busy CPUs or more (the upper half), and how many have none.
__u64 groups[waste_levels];
struct probe_watch shared[waste_levels]; // running while there are both
struct waste_waits waits;

enum { no_group = 0xffff };

static __always_inline bool has_both(__u64 groups_now)
{
    return groups_now >> 32 && (__u32)groups_now;
}

static __always_inline void add_busy(__u32 level, __u32 mine, int by, __u64 time)
{
    __u32 before = __sync_fetch_and_add(&busy[level][mine], by), after = before + by;
    __u64 change = ((__u64)(after >= 2) << 32) - ((__u64)(before >= 2) << 32) + (after == 0) - (before == 0);
    if (!change)
        return;
    __u64 was = __sync_fetch_and_add(&groups[level], change), is = was + change;
    if (has_both(is) && !has_both(was))
        start_watch(&shared[level], time);
    else if (has_both(was) && !has_both(is))
        stop_watch(&shared[level], time);
}

static __always_inline void add_idle(__u32 level, __u32 mine, int by, __u64 time)
{
    __u32 before = __sync_fetch_and_add(&idle_cpus[level][mine], by);
    if (before == 0 && by > 0)
        start_watch(&some_idle[level][mine], time);
    else if (before == 1 && by < 0)
        stop_watch(&some_idle[level][mine], time);
}

static __always_inline __u32 group_of(__u32 level, __u32 cpu)
{
    return group[level][cpu_index(cpu)] & (probe_max_cpus - 1);
}

static __always_inline void make_idle(__u32 cpu, bool now_idle)
{
    if (!set_idle(cpu, now_idle))
        return;
    __u64 time = now();
    for (__u32 level = 0; level < waste_levels; level++) {
        __u32 mine = group_of(level, cpu);
        add_busy(level, mine, now_idle ? -1 : 1, time);
        add_idle(level, mine, now_idle ? 1 : -1, time);
    }
}

// The largest group around the CPU that the task may use all of, or no_group.
static __always_inline __u32 usable_group(struct task_struct *p, __u32 cpu, __u32 *level)
{
    struct probe_cpus allowed;
    allowed_cpus(p, &allowed);
    for (__u32 i = 0; i < waste_levels; i++) {
        __u32 l = waste_levels - 1 - i;
        barrier_var(l); // a level is a number, not a pointer that counts down: 6.1's verifier does not follow that
        if (l >= waste_levels)
            break;
        __u32 mine = group_of(l, cpu);
        __u64 missing = 0;
        for (__u32 w = 0; w < probe_cpu_words && w < cpu_words; w++)
            missing |= members[l][mine].word[w] & ~allowed.word[w];
        if (!missing) {
            *level = l;
            return mine;
        }
    }
    return no_group;
}

static __always_inline __u64 idle_time(__u32 level, __u32 mine, __u64 time)
{
    if (level >= waste_levels || mine >= probe_max_cpus)
        return 0;
    return probe_watch_read(*(volatile __u64 *)&some_idle[level][mine].word, time);
}

static __always_inline void begin_wait(struct task_struct *p, __u32 cpu)
{
    if (!counting || !in_scope(p))
        return;
    struct waiting *set = waiting_set(p), *entry = find_in(set, p) ? 0 : add_to(set, p);
    if (!entry)
        return;
    __u32 level = 0, mine = usable_group(p, cpu, &level);
    entry->since = now();
    entry->where = level << 16 | mine;
    entry->mark = idle_time(level, mine, entry->since);
}

static __always_inline void end_wait(struct task_struct *p)
{
    struct waiting *entry = find_waiting(p);
    if (!entry)
        return;
    __u64 time = now(), wasted = idle_time(entry->where >> 16, entry->where & 0xffff, time) - entry->mark;
    if (counting) {
        __sync_fetch_and_add(&waits.count, 1);
        __sync_fetch_and_add(&waits.waited_ns, time - entry->since);
        __sync_fetch_and_add(&waits.wasted_ns, wasted);
    }
    entry->task = 0;
}

SEC("tp_btf/sched_migrate_task")
int BPF_PROG(on_migrate, struct task_struct *p, int to)
{
    if (task_cpu(p) != (__u32)to)
        make_idle(to, false);
    return 0;
}

SEC("tp_btf/sched_wakeup")
int BPF_PROG(on_wakeup, struct task_struct *p)
{
    if (p->on_cpu) // it had not left its CPU yet
        return 0;
    make_idle(task_cpu(p), false);
    begin_wait(p, task_cpu(p));
    return 0;
}

SEC("tp_btf/sched_wakeup_new")
int BPF_PROG(on_wakeup_new, struct task_struct *p)
{
    remember_new(p);
    make_idle(task_cpu(p), false);
    begin_wait(p, task_cpu(p));
    return 0;
}

SEC("tp_btf/sched_switch")
int BPF_PROG(on_switch, bool preempt, struct task_struct *prev, struct task_struct *next, unsigned int prev_state)
{
    __u32 cpu = bpf_get_smp_processor_id();
    make_idle(cpu, next->pid == 0 && !is_apart(cpu));
    if (prev->pid != 0 && (preempt || prev_state == 0))
        begin_wait(prev, cpu);
    if (next->pid != 0)
        end_wait(next);
    return 0;
}

// While a CPU is apart it is neither idle nor busy.
SEC("tp_btf/cpuhp_enter")
int BPF_PROG(on_hotplug, unsigned int cpu, int target, int state)
{
    bool was = is_apart(cpu);
    idle_hotplug(cpu, target, state);
    bool is = is_apart(cpu);
    if (was == is)
        return 0;
    make_idle(cpu, false);
    for (__u32 level = 0; level < waste_levels; level++)
        add_busy(level, group_of(level, cpu), is ? -1 : 1, now());
    return 0;
}
