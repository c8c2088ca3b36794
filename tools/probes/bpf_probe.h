// SPDX-License-Identifier: GPL-2.0-or-later
// What probes made of BPF programs have in common: the life of a skeleton whose object is built on bpf/scope.h.
#pragma once

#include <algorithm>
#include <atomic>
#include <bit>
#include <bpf/libbpf.h>
#include <memory>
#include <span>
#include <string>

#include "bpf/probe.h"
#include "probes/bpf_log.h"
#include "probes/probe.h"

namespace schedlab {

// An environment error unless this kernel tells its types.
void require_btf(const std::string &probe);
// Runs a program of type "syscall" once.
void run_program(const bpf_program *program, const BpfLog &log);
// How often a program was not run because it was already running on that CPU, over all of the object's programs.
std::uint64_t recursion_misses(const bpf_object *object);
// SCHEDLAB_PROBE_TASKS: tasks that a probe can keep in mind.
unsigned most_tasks();
// Which CPUs are offline or isolated now (enum probe_apart); those that do not exist count as offline.
void mark_apart(std::span<unsigned char, probe_max_cpus> apart);
// Runs on each CPU for a moment, where it may: what the CPU does from then on is known to the programs.
void visit_cpus();
// The words of a mask that the machine has CPUs for.
unsigned words_for(const Topology &topology);

template <class Skeleton> class BpfProbe : public Probe {
public:
    BpfProbe(std::string name, ProbeSetup setup) : name_(std::move(name)), setup_(std::move(setup)) {}

    void attach() final {
        require_btf(name_);
        const BpfLog log;
        programs_.reset(Skeleton::open());
        if (!programs_)
            throw log.error("open the " + name_ + " programs", errno);
        size();
        prepare(*programs_);
        if (const int err = Skeleton::load(programs_.get()))
            throw log.error("load the " + name_ + " programs", -err);
        run_program(programs_->progs.learn_owner, log);
        if (const int err = Skeleton::attach(programs_.get()))
            throw log.error("attach the " + name_ + " programs", -err);
        visit_cpus();
    }

    void start() override {
        misses_before_ = recursion_misses(programs_->obj);
        set_counting(1);
    }

    void stop() override {
        set_counting(0);
        misses_ = recursion_misses(programs_->obj) - misses_before_;
    }

    ProbeResult result(const Measured &measured) final {
        ProbeResult result;
        report(*programs_, measured, result);
        const probe_losses &losses = programs_->bss->losses;
        lose(result, "map_full", losses.map_full);
        lose(result, "waiting_full", losses.waiting_full);
        lose(result, "unknown_cpu", losses.unknown_cpu);
        lose(result, "recursion", misses_);
        return result;
    }

protected:
    // What the programs must know before they are loaded.
    virtual void prepare(Skeleton &programs) = 0;
    virtual void report(const Skeleton &programs, const Measured &measured, ProbeResult &result) = 0;

    void lose(ProbeResult &result, const std::string &what, std::uint64_t count,
              Severity severity = Severity::data_loss) const {
        if (count > 0)
            result.losses.push_back({name_ + "." + what, count, severity});
    }
    const ProbeSetup &setup() const { return setup_; }
    Skeleton &programs() const { return *programs_; }
    bool views(const std::string &view) const { return setup_.views.contains(view); }

private:
    struct Destroy {
        void operator()(Skeleton *programs) const { Skeleton::destroy(programs); }
    };

    void size() {
        programs_->rodata->scope = int(setup_.scope);
        bpf_program__set_autoload(programs_->progs.on_free, setup_.scope != ProbeScope::system);
        bpf_map__set_max_entries(programs_->maps.tasks, most_tasks());
        if constexpr (requires { programs_->rodata->waiting_sets; })
            programs_->rodata->waiting_sets = std::bit_floor(std::max(1u, most_tasks() / 8));
        if constexpr (requires { programs_->rodata->cpu_words; })
            programs_->rodata->cpu_words = words_for(setup_.topology);
        if constexpr (requires { programs_->bss->apart; })
            mark_apart(programs_->bss->apart);
    }

    // The programs read this on every event: nothing is loaded, attached or freed between start and stop.
    void set_counting(int on) { std::atomic_ref(programs_->bss->counting).store(on); }

    std::string name_;
    ProbeSetup setup_;
    std::unique_ptr<Skeleton, Destroy> programs_;
    std::uint64_t misses_before_ = 0, misses_ = 0;
};

} // namespace schedlab
