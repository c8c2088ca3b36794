// SPDX-License-Identifier: GPL-2.0-or-later
#include "probes/placement.h"

#include <algorithm>
#include <atomic>
#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <cerrno>
#include <cstring>
#include <unistd.h>

#include "bpf/placement.h"
#include "probes/bpf_log.h"
#include "probes/placement_metrics.h"

#include "bpf/placement.skel.h"

namespace schedlab {
namespace {

struct Destroy {
    void operator()(placement_bpf *programs) const { placement_bpf__destroy(programs); }
};

class PlacementProbe : public Probe {
public:
    PlacementProbe(const Topology &topology, ProbeScope scope) : topology_(topology), scope_(scope) {}

    void attach() override {
        if (::access("/sys/kernel/btf/vmlinux", R_OK) != 0)
            throw environment_error(std::string("cannot read /sys/kernel/btf/vmlinux: ") + errno_text(errno),
                                    "the placement probe needs a kernel with CONFIG_DEBUG_INFO_BTF=y, and sysfs");
        const BpfLog log;
        programs_.reset(placement_bpf__open());
        if (!programs_)
            throw log.error("open the placement programs", errno);
        programs_->rodata->scope = int(scope_);
        bpf_program__set_autoload(programs_->progs.on_free, scope_ != ProbeScope::system);
        describe_steps();
        if (const int err = placement_bpf__load(programs_.get()))
            throw log.error("load the placement programs", -err);
        learn_owner(log);
        if (const int err = placement_bpf__attach(programs_.get()))
            throw log.error("attach the placement programs", -err);
    }

    void start() override {
        misses_before_ = recursion_misses();
        set_counting(1);
    }

    void stop() override {
        set_counting(0);
        misses_ = recursion_misses() - misses_before_;
    }

    ProbeResult result() override {
        const auto &bss = *programs_->bss;
        ProbeResult result;
        result.metrics = placement_metrics(sum_counts(bss.counts), topology_.asymmetric());
        const auto lose = [&](const char *what, std::uint64_t count) {
            if (count > 0)
                result.losses.push_back({std::string("placement.") + what, count, Severity::data_loss});
        };
        lose("map_full", bss.losses.map_full);
        lose("unknown_cpu", bss.losses.unknown_cpu);
        lose("recursion", misses_);
        return result;
    }

private:
    void describe_steps() {
        auto &step = programs_->bss->step;
        std::memset(step, placement_unknown_cpu, sizeof(step));
        for (const CpuPlace &from : topology_.cpus)
            for (const CpuPlace &to : topology_.cpus)
                if (std::max(from.cpu, to.cpu) < placement_max_cpus)
                    step[from.cpu][to.cpu] = placement_step(topology_, from.cpu, to.cpu);
    }

    void learn_owner(const BpfLog &log) {
        LIBBPF_OPTS(bpf_test_run_opts, options);
        if (bpf_prog_test_run_opts(bpf_program__fd(programs_->progs.learn_owner), &options))
            throw log.error("run a BPF program", errno);
    }

    // The programs read this on every event: nothing is loaded, attached or freed between start and stop.
    void set_counting(int on) { std::atomic_ref(programs_->bss->counting).store(on); }

    // How often a program was not run because it was already running on that CPU, over all programs.
    std::uint64_t recursion_misses() const {
        std::uint64_t misses = 0;
        bpf_program *program = nullptr;
        bpf_object__for_each_program(program, programs_->obj) {
            bpf_prog_info info{};
            __u32 size = sizeof(info);
            if (bpf_program__autoload(program) &&
                bpf_obj_get_info_by_fd(bpf_program__fd(program), &info, &size) == 0)
                misses += info.recursion_misses;
        }
        return misses;
    }

    Topology topology_;
    ProbeScope scope_;
    std::unique_ptr<placement_bpf, Destroy> programs_;
    std::uint64_t misses_before_ = 0, misses_ = 0;
};

} // namespace

std::unique_ptr<Probe> make_placement_probe(const Topology &topology, ProbeScope scope) {
    return std::make_unique<PlacementProbe>(topology, scope);
}

} // namespace schedlab
