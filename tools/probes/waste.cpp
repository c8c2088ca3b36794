// SPDX-License-Identifier: GPL-2.0-or-later
#include "probes/waste.h"

#include <algorithm>
#include <array>
#include <map>

#include "bpf/waste.h"
#include "probes/bpf_probe.h"
#include "probes/monotonic.h"

#include "bpf/waste.skel.h"

namespace schedlab {
namespace {

constexpr const char *level_names[waste_levels] = {"core", "cluster", "llc", "node", "machine"};

int group_at(const CpuPlace &place, int level) {
    const int ids[waste_levels] = {place.core, place.cluster, place.llc, place.node, 0};
    return ids[level];
}

class WasteProbe : public BpfProbe<waste_bpf> {
public:
    explicit WasteProbe(ProbeSetup setup) : BpfProbe("waste", std::move(setup)) {}

    void start() override {
        started_ = time();
        shared_ = shared_times(started_);
        BpfProbe::start();
    }

    void stop() override {
        BpfProbe::stop();
        const std::uint64_t now = time();
        elapsed_ = now - started_;
        const Times after = shared_times(now);
        for (int level = 0; level < waste_levels; ++level)
            shared_[level] = after[level] - shared_[level];
    }

private:
    using Times = std::array<std::uint64_t, waste_levels>;

    void prepare(waste_bpf &programs) override {
        programs.bss->epoch = monotonic_ns();
        for (int level = 0; level < waste_levels; ++level)
            describe(level, *programs.bss);
    }

    // CPUs start as busy; those that are apart are neither busy nor members.
    template <class Bss> void describe(int level, Bss &bss) {
        std::map<int, int> first; // CPU of each group; nodes have numbers of their own
        for (const CpuPlace &place : setup().topology.cpus) {
            if (place.cpu >= probe_max_cpus)
                break;
            const int group = first.emplace(group_at(place, level), place.cpu).first->second;
            bss.group[level][place.cpu] = static_cast<unsigned short>(group);
            if (bss.apart[place.cpu])
                continue;
            bss.members[level][group].word[place.cpu / 64] |= 1ULL << place.cpu % 64;
            ++bss.busy[level][group];
        }
        const auto size = [&](const auto &group) { return bss.busy[level][group.second]; };
        const auto several = std::ranges::count_if(first, [&](const auto &group) { return size(group) >= 2; });
        bss.groups[level] = std::uint64_t(several) << 32;
        has_level_[level] = several > 0 && first.size() > 1 && !same_as_below(level);
    }

    bool same_as_below(int level) const {
        return level > 0 && std::ranges::all_of(setup().topology.cpus, [&](const CpuPlace &a) {
                   return std::ranges::all_of(setup().topology.cpus, [&](const CpuPlace &b) {
                       return (group_at(a, level) == group_at(b, level)) ==
                              (group_at(a, level - 1) == group_at(b, level - 1));
                   });
               });
    }

    std::uint64_t time() const { return monotonic_ns() - programs().bss->epoch; }

    Times shared_times(std::uint64_t now) const {
        Times times;
        for (int level = 0; level < waste_levels; ++level)
            times[level] = probe_watch_read(programs().bss->shared[level].word, now);
        return times;
    }

    void report(const waste_bpf &programs, const Measured &, ProbeResult &result) override {
        const auto lower = Direction::lower_is_better;
        const auto share = [&](const std::string &name, std::uint64_t part, std::uint64_t whole) {
            if (whole > 0)
                result.metrics.push_back({"waste." + name + ".share", "1", MetricClass::placement, lower,
                                          MetricKind::share, double(part) / double(whole)});
        };
        const auto time = [&](const std::string &name, std::uint64_t ns) {
            result.metrics.push_back({"waste." + name + "_us", "us", MetricClass::time, lower, MetricKind::value,
                                      double(ns) / 1000});
        };
        const waste_waits &waits = programs.bss->waits;
        result.metrics.push_back({"waste.waits", "1", MetricClass::placement, Direction::neutral, MetricKind::count,
                                  double(waits.count)});
        time("waited", waits.waited_ns);
        time("wait", waits.wasted_ns);
        share("wait", waits.wasted_ns, waits.waited_ns);
        for (int level = 0; level < waste_levels; ++level)
            if (has_level_[level]) {
                time(level_names[level], shared_[level]);
                share(level_names[level], shared_[level], elapsed_);
            }
    }

    std::uint64_t started_ = 0, elapsed_ = 0;
    Times shared_{};
    std::array<bool, waste_levels> has_level_{};
};

} // namespace

std::unique_ptr<Probe> make_waste_probe(ProbeSetup setup) { return std::make_unique<WasteProbe>(std::move(setup)); }

} // namespace schedlab
