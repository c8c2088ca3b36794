// SPDX-License-Identifier: GPL-2.0-or-later
#include "measure/measure.h"

#include <memory>

#include "loads/load.h"
#include "probes/probe.h"

namespace schedlab {
namespace {

using Probes = std::vector<std::unique_ptr<Probe>>;

Probes attach_all(const std::vector<std::string> &names, const Topology &topology) {
    Probes probes;
    for (const std::string &name : names) {
        probes.push_back(find_probe(name).make(topology, ProbeScope::self));
        probes.back()->attach();
    }
    return probes;
}

// Under -icount shift=0 the guest's clock advances by 1 ns per instruction, whichever virtual CPU executes it, and
// jumps ahead only while all of them idle. So the time per operation is the number of instructions the whole
// machine spent on it, the probe's included: exact, and the same on every replay. The guest's PMU would say
// no more (QEMU's INST_RETIRED is the same clock, of all CPUs, whatever task runs) and x86 under TCG has none.
Metric instructions_per_operation(const LoadResult &load) {
    return {"insn_per_op",   "insn", MetricClass::path, Direction::lower_is_better,
            MetricKind::value, double(load.elapsed_ns) / double(load.operations)};
}

} // namespace

Record measure(const Job &job, const Topology &topology, bool emulated) {
    const Load &load = find_load(job.load);
    Record record;
    record.load = job.load;
    record.options = complete_options(load.options, job.options, "load " + job.load);
    record.seed = job.seed;
    record.emulated = emulated;
    check_load(load, record.options);

    const Probes probes = attach_all(job.probes, topology);
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
    if (emulated)
        record.metrics.push_back(instructions_per_operation(result));
    for (const auto &probe : probes) {
        ProbeResult seen = probe->result();
        record.metrics.insert(record.metrics.end(), seen.metrics.begin(), seen.metrics.end());
        record.losses.insert(record.losses.end(), seen.losses.begin(), seen.losses.end());
    }
    return record;
}

} // namespace schedlab
