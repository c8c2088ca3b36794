// SPDX-License-Identifier: GPL-2.0-or-later
#include "probes/bpf_probe.h"

#include <algorithm>
#include <bpf/bpf.h>
#include <cerrno>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <sched.h>
#include <unistd.h>

#include "core/cpulist.h"
#include "core/error.h"
#include "sys/files.h"

namespace schedlab {

void require_btf(const std::string &probe) {
    if (::access("/sys/kernel/btf/vmlinux", R_OK) != 0)
        throw environment_error(std::string("cannot read /sys/kernel/btf/vmlinux: ") + errno_text(errno),
                                "the " + probe + " probe needs a kernel with CONFIG_DEBUG_INFO_BTF=y, and sysfs");
}

void run_program(const bpf_program *program, const BpfLog &log) {
    LIBBPF_OPTS(bpf_test_run_opts, options);
    if (bpf_prog_test_run_opts(bpf_program__fd(program), &options))
        throw log.error("run a BPF program", errno);
}

std::uint64_t recursion_misses(const bpf_object *object) {
    std::uint64_t misses = 0;
    bpf_program *program = nullptr;
    bpf_object__for_each_program(program, object) {
        bpf_prog_info info{};
        __u32 size = sizeof(info);
        if (bpf_program__autoload(program) &&
            bpf_obj_get_info_by_fd(bpf_program__fd(program), &info, &size) == 0)
            misses += info.recursion_misses;
    }
    return misses;
}

unsigned most_tasks() {
    const char *text = std::getenv("SCHEDLAB_PROBE_TASKS");
    if (!text)
        return probe_max_tasks;
    unsigned tasks = 0;
    const char *end = text + std::strlen(text);
    if (std::from_chars(text, end, tasks).ptr != end || tasks < 1 || tasks > probe_max_tasks)
        throw usage_error("SCHEDLAB_PROBE_TASKS=" + std::string(text) + ": not a number from 1 to " +
                          std::to_string(probe_max_tasks));
    return tasks;
}

void mark_apart(std::span<unsigned char, probe_max_cpus> apart) {
    const auto set = [](const char *name) {
        return CpuSet::parse_list(read_file_or(std::string("/sys/devices/system/cpu/") + name));
    };
    std::ranges::fill(apart, std::uint8_t(apart_offline));
    for (const int cpu : set("online"))
        if (cpu < probe_max_cpus)
            apart[cpu] = 0;
    for (const int cpu : set("isolated"))
        if (cpu < probe_max_cpus)
            apart[cpu] |= apart_isolated;
}

void visit_cpus() {
    cpu_set_t before;
    if (::sched_getaffinity(0, sizeof(before), &before) != 0)
        return; // more CPUs than a cpu_set_t has: each counts as busy until its first switch
    for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu) {
        cpu_set_t one;
        CPU_ZERO(&one);
        CPU_SET(cpu, &one);
        if (CPU_ISSET(cpu, &before))
            ::sched_setaffinity(0, sizeof(one), &one);
    }
    ::sched_setaffinity(0, sizeof(before), &before);
}

unsigned words_for(const Topology &topology) {
    const int cpus = topology.cpus.empty() ? 1 : topology.cpus.back().cpu + 1;
    return unsigned(std::clamp((cpus + 63) / 64, 1, int(probe_cpu_words)));
}

} // namespace schedlab
