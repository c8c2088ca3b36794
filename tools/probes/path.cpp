// SPDX-License-Identifier: GPL-2.0-or-later
// Instructions per operation. On an emulated machine they are its clock, less the time in which all CPUs were
// halted; elsewhere a hardware counter's, of the load's own tasks.
#include "probes/path.h"

#include <cerrno>
#include <linux/perf_event.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "probes/bpf_probe.h"
#include "probes/monotonic.h"
#include "sys/fd.h"

#include "bpf/path.skel.h"

namespace schedlab {
namespace {

void add_metric(ProbeResult &result, double instructions, std::uint64_t operations) {
    const bool per_op = operations > 0;
    result.metrics.push_back({per_op ? "insn_per_op" : "instructions", "insn", MetricClass::path,
                              Direction::lower_is_better, MetricKind::value,
                              per_op ? instructions / double(operations) : instructions});
}

class EmulatedPath : public BpfProbe<path_bpf> {
public:
    explicit EmulatedPath(ProbeSetup setup) : BpfProbe("path", std::move(setup)) {}

    void start() override {
        BpfProbe::start();
        halted_before_ = halted_time();
    }

    void stop() override {
        halted_ = halted_time() - halted_before_;
        BpfProbe::stop();
    }

private:
    void prepare(path_bpf &programs) override {
        programs.bss->epoch = monotonic_ns();
        std::array<unsigned char, probe_max_cpus> apart;
        mark_apart(apart);
        for (int cpu = 0; cpu < probe_max_cpus; ++cpu)
            programs.bss->awake_cpus += !(apart[cpu] & apart_offline);
    }

    std::uint64_t halted_time() const {
        const auto &bss = *programs().bss;
        return probe_watch_read(bss.all_halted.word, monotonic_ns() - bss.epoch);
    }

    void report(const path_bpf &, const Measured &measured, ProbeResult &result) override {
        add_metric(result, double(measured.elapsed_ns - std::int64_t(halted_)) / setup().ns_per_instruction,
                   measured.operations);
    }

    std::uint64_t halted_before_ = 0, halted_ = 0;
};

class CountedPath : public Probe {
public:
    void attach() override {
        perf_event_attr what{};
        what.size = sizeof(what);
        what.type = PERF_TYPE_HARDWARE;
        what.config = PERF_COUNT_HW_INSTRUCTIONS;
        what.inherit = 1; // by tasks created from now on
        what.disabled = 1;
        counter_ = Fd(int(::syscall(SYS_perf_event_open, &what, 0, -1, -1, PERF_FLAG_FD_CLOEXEC)));
        if (counter_)
            return;
        if (errno == EACCES || errno == EPERM)
            throw environment_error("cannot count instructions: " + errno_text(errno),
                                    "run as root, or with CAP_PERFMON");
        throw environment_error("this machine has no counter of instructions: " + errno_text(errno),
                                "a virtual machine needs a virtual PMU; emulated machines count without");
    }
    void start() override { ::ioctl(counter_.get(), PERF_EVENT_IOC_ENABLE, 0); }
    void stop() override {
        ::ioctl(counter_.get(), PERF_EVENT_IOC_DISABLE, 0);
        if (::read(counter_.get(), &instructions_, sizeof(instructions_)) != sizeof(instructions_))
            throw environment_error("cannot read the counter of instructions: " + errno_text(errno));
    }
    ProbeResult result(const Measured &measured) override {
        ProbeResult result;
        add_metric(result, double(instructions_), measured.operations);
        return result;
    }

private:
    Fd counter_;
    std::uint64_t instructions_ = 0;
};

} // namespace

std::unique_ptr<Probe> make_path_probe(ProbeSetup setup) {
    if (setup.ns_per_instruction > 0)
        return std::make_unique<EmulatedPath>(std::move(setup));
    return std::make_unique<CountedPath>();
}

} // namespace schedlab
