// SPDX-License-Identifier: GPL-2.0-or-later
#include "guest/stress.h"

#include <atomic>
#include <exception>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <thread>

#include "core/error.h"
#include "guest/churn.h"
#include "loads/load.h"
#include "sys/topology_reader.h"

namespace schedlab {

namespace {

// Makes all changes on a thread of its own, beside the load.
class Changing {
public:
    Changing(Churn &churn, std::uint64_t changes)
        : thread_([this, &churn, changes] {
              try {
                  for (std::uint64_t i = 0; i < changes; ++i)
                      churn.change();
                  churn.restore();
              } catch (...) {
                  fault_ = std::current_exception();
              }
              done_ = true;
          }) {}

    bool done() const { return done_; }
    void finish() {
        thread_.join();
        if (fault_)
            std::rethrow_exception(fault_);
    }

private:
    std::atomic<bool> done_ = false;
    std::exception_ptr fault_;
    std::jthread thread_; // last: it uses the others
};

std::vector<std::string> domains_in_words() {
    std::vector<std::string> words;
    for (const CpuDomains &cpu : read_domains()) {
        words.push_back(fmt::format("CPU {}:", cpu.cpu));
        for (const Domain &level : cpu.levels)
            words.back() += fmt::format(" {} {} ({})", level.name, level.span.to_list(), fmt::join(level.flags, " "));
    }
    return words;
}

void require_same(const std::vector<std::string> &before, const std::vector<std::string> &after) {
    if (before.size() != after.size())
        throw run_error(fmt::format("{} CPUs had domains before the changes, {} have some after them", before.size(), after.size()));
    for (std::size_t i = 0; i < before.size(); ++i)
        if (before[i] != after[i])
            throw run_error(fmt::format("the scheduler's domains before and after the changes differ: {}, now {}", before[i], after[i]));
}

CpuSet present_cpus() {
    std::vector<int> cpus;
    for (const CpuPlace &place : read_topology().cpus)
        cpus.push_back(place.cpu);
    return CpuSet(std::move(cpus));
}

} // namespace

Record stress(const Job &job) {
    const Load &load = find_load(job.load);
    Record record{.load = job.load,
                  .options = complete_options(load.options, job.options.at("load"), "load " + job.load),
                  .seed = job.seed,
                  .emulated = true};
    check_load(load, record.options);

    const auto before = domains_in_words();
    Churn churn(job.seed, present_cpus(), job.options.at("features"));
    Changing changing(churn, job.options.at("changes"));
    while (!changing.done())
        run_load(load, record.options, job.seed, {});
    changing.finish();
    require_same(before, domains_in_words());

    for (const auto &[kind, count] : churn.counts())
        record.metrics.push_back({"changes." + kind, "", MetricClass::placement, Direction::neutral, MetricKind::count, double(count)});
    return record;
}

} // namespace schedlab
