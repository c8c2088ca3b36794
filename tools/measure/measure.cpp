// SPDX-License-Identifier: GPL-2.0-or-later
#include "measure/measure.h"

#include <algorithm>
#include <iterator>
#include <memory>

#include "loads/load.h"
#include "loads/work.h"
#include "probes/probe.h"

namespace schedlab {
namespace {

using Probes = std::vector<std::unique_ptr<Probe>>;

Probes attach_all(const std::vector<std::string> &names, const Surroundings &where) {
    Probes probes;
    for (const std::string &name : names) {
        probes.push_back(make_probe(name, {.topology = where.topology,
                                           .scope = ProbeScope::self,
                                           .ns_per_instruction = where.ns_per_instruction}));
        probes.back()->attach();
    }
    return probes;
}

// Under -icount the guest's clock advances by as much with every instruction, whichever virtual CPU executes
// it, and jumps ahead while all of them idle. So for a load that never lets all CPUs idle, the time per
// operation tells the instructions that the whole machine spent on it, the probes' included: exact, and the
// same on every replay. For other loads there is the probe `path`, which leaves the idle time out. (The
// guest's PMU would say no more: QEMU's INST_RETIRED is the same clock, of all CPUs, whatever task runs; and
// x86 under TCG has none.)
void add_instructions(Record &record, const LoadResult &load, double ns_per_instruction) {
    if (ns_per_instruction > 0 && load.operations > 0)
        record.metrics.push_back({"insn_per_op", "insn", MetricClass::path, Direction::lower_is_better,
                                  MetricKind::value, double(load.elapsed_ns) / ns_per_instruction / double(load.operations)});
}

void call_modelled(Record &record) {
    for (Metric &metric : record.metrics)
        if (metric.cls == MetricClass::time)
            metric.cls = MetricClass::modelled;
}

} // namespace

Record measure(const Job &job, const Surroundings &where,
               const std::function<void(const std::string &)> &on_event) {
    const Load &load = find_load(job.load);
    Record record;
    record.load = job.load;
    record.options = complete_options(load.options, job.options, "load " + job.load);
    record.seed = job.seed;
    record.emulated = where.emulated;
    check_load(load, record.options);
    if (where.emulated && !where.modelled)
        scale_work_by_capacity(where.topology);

    const Probes probes = attach_all(job.probes, where);
    LoadHooks hooks;
    hooks.begin = [&] {
        for (const auto &probe : probes)
            probe->start();
    };
    hooks.end = [&] {
        for (const auto &probe : probes)
            probe->stop();
    };
    const LoadResult result = run_load(load, record.options, job.seed, hooks);

    record.metrics = result.metrics;
    record.frames = result.frames;
    std::vector<Metric> seen_metrics;
    for (const auto &probe : probes) {
        ProbeResult seen = probe->result({result.operations, result.elapsed_ns});
        std::ranges::move(seen.metrics, std::back_inserter(seen_metrics));
        std::ranges::move(seen.losses, std::back_inserter(record.losses));
        std::ranges::for_each(seen.events, on_event);
    }
    if (std::ranges::find(seen_metrics, "insn_per_op", &Metric::name) == seen_metrics.end())
        add_instructions(record, result, where.ns_per_instruction);
    std::ranges::move(seen_metrics, std::back_inserter(record.metrics));
    if (where.modelled)
        call_modelled(record);
    return record;
}

} // namespace schedlab
