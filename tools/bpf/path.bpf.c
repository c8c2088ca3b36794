// SPDX-License-Identifier: GPL-2.0-only
// How long all CPUs are halted at once: then an emulated machine's clock jumps ahead, and executes nothing. A
// CPU whose idle task is on its way into or out of that executes instructions, and they are part of what an
// operation costs.
#include "bpf/watch.h"

struct probe_watch all_halted;
int awake_cpus; // the owner begins with all that are online, and visits each
__u32 halted[probe_max_cpus];

SEC("tp_btf/cpu_idle")
int BPF_PROG(on_cpu_idle, unsigned int state, unsigned int cpu_id)
{
    const unsigned int leaves = -1; // PWR_EVENT_EXIT
    __u32 cpu = bpf_get_smp_processor_id(), now_halted = state != leaves;
    if (cpu >= probe_max_cpus || halted[cpu] == now_halted)
        return 0;
    halted[cpu] = now_halted;
    if (now_halted && __sync_fetch_and_add(&awake_cpus, -1) == 1)
        start_watch(&all_halted, now());
    else if (!now_halted && __sync_fetch_and_add(&awake_cpus, 1) == 0)
        stop_watch(&all_halted, now());
    return 0;
}
