// SPDX-License-Identifier: GPL-2.0-only
// How long each task runs and how long it waits for a CPU; how long each CPU and each core is busy. States
// are kept from attach() on, so that what runs already at the start is counted from there.
#include "bpf/watch.h"

#include "bpf/share.h"

__u64 started;                      // since the epoch; what comes before does not count
__u32 core[probe_max_cpus];         // of each CPU, the first CPU of its core
struct probe_watch cpu_busy[probe_max_cpus], core_busy[probe_max_cpus];
static __u32 runs[probe_max_cpus];  // does it run a task?
static __u32 busy_cpus[probe_max_cpus]; // of each core

struct {
    __uint(type, BPF_MAP_TYPE_HASH);
    __uint(max_entries, probe_max_tasks);
    __type(key, struct probe_task_key);
    __type(value, struct share_task);
} task_shares SEC(".maps");

static __always_inline void enter_state(struct task_struct *p, enum share_state state)
{
    if (!in_scope(p))
        return;
    struct probe_task_key key = {.start_time = p->start_time, .pid = p->pid, .tgid = p->tgid};
    struct share_task *task = bpf_map_lookup_elem(&task_shares, &key);
    if (!task) {
        static const struct share_task none;
        if (bpf_map_update_elem(&task_shares, &key, &none, BPF_ANY))
            __sync_fetch_and_add(&losses.map_full, 1);
        task = bpf_map_lookup_elem(&task_shares, &key);
        if (!task)
            return;
    }
    __u64 time = now(), from = task->since > started ? task->since : started;
    if (counting && time > from && task->state != share_off)
        *(task->state == share_runs ? &task->runs : &task->waits) += time - from;
    if (state != task->state || state == share_runs)
        bpf_probe_read_kernel(task->comm, sizeof(task->comm), p->comm);
    task->state = state;
    task->since = time;
}

static __always_inline void set_busy(__u32 cpu, bool busy)
{
    if (cpu >= probe_max_cpus || runs[cpu] == busy)
        return;
    runs[cpu] = busy;
    __u64 time = now();
    __u32 mine = core[cpu] & (probe_max_cpus - 1);
    if (busy) {
        start_watch(&cpu_busy[cpu], time);
        if (__sync_fetch_and_add(&busy_cpus[mine], 1) == 0)
            start_watch(&core_busy[mine], time);
    } else {
        stop_watch(&cpu_busy[cpu], time);
        if (__sync_fetch_and_add(&busy_cpus[mine], -1) == 1)
            stop_watch(&core_busy[mine], time);
    }
}

SEC("tp_btf/sched_wakeup")
int BPF_PROG(on_wakeup, struct task_struct *p)
{
    if (!p->on_cpu)
        enter_state(p, share_waits);
    return 0;
}

SEC("tp_btf/sched_wakeup_new")
int BPF_PROG(on_wakeup_new, struct task_struct *p)
{
    remember_new(p);
    enter_state(p, share_waits);
    return 0;
}

SEC("tp_btf/sched_switch")
int BPF_PROG(on_switch, bool preempt, struct task_struct *prev, struct task_struct *next, unsigned int prev_state)
{
    set_busy(bpf_get_smp_processor_id(), next->pid != 0);
    if (prev->pid != 0)
        enter_state(prev, preempt || prev_state == 0 ? share_waits : share_off);
    if (next->pid != 0)
        enter_state(next, share_runs);
    return 0;
}
