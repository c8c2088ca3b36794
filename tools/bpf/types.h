// SPDX-License-Identifier: GPL-2.0-only
// The kernel types our BPF programs touch, with just the fields they touch: CO-RE finds each field's real
// offset in the running kernel's BTF, so building needs no vmlinux.h and no kernel headers.
#pragma once

typedef unsigned char __u8;
typedef unsigned short __u16;
typedef short __s16;
typedef unsigned int __u32;
typedef int __s32;
typedef unsigned long long __u64;
typedef long long __s64;
typedef __u16 __be16;
typedef __u32 __be32;
typedef __u32 __wsum;
typedef _Bool bool;
enum { false, true };

// Map types and flags are kernel ABI (include/uapi/linux/bpf.h).
enum { BPF_MAP_TYPE_HASH = 1, BPF_MAP_TYPE_ARRAY = 2, BPF_MAP_TYPE_PERCPU_ARRAY = 6, BPF_MAP_TYPE_RINGBUF = 27 };
enum { BPF_ANY = 0 };

// Its value is asked of the running kernel.
enum cpuhp_state { CPUHP_AP_ACTIVE = 1 };

#pragma clang attribute push(__attribute__((preserve_access_index)), apply_to = record)

struct thread_info {
    __u32 cpu;
};

struct sched_avg {
    unsigned long util_avg;
    unsigned int util_est;
};

struct sched_entity {
    struct sched_avg avg;
};

struct task_struct {
    struct thread_info thread_info;
    unsigned int __state;
    unsigned int on_cpu, on_rq; // bytes on 7.3: libbpf makes the loads of unsigned members as wide as the kernel's
    struct sched_entity se;
    int pid;
    int tgid;
    __u64 start_time;
    char comm[16];
    const unsigned long *cpus_ptr; // a struct cpumask: as many words as the kernel was built for
    unsigned int in_execve : 1;
};

#pragma clang attribute pop
