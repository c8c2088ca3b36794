// SPDX-License-Identifier: GPL-2.0-or-later
#include "lab/run_plan.h"

#include <algorithm>
#include <exception>
#include <fmt/format.h>
#include <mutex>
#include <thread>

#include "core/error.h"
#include "core/nearest.h"
#include "sys/interrupt.h"

namespace schedlab {

namespace {

std::string name_of(const Cell &cell) { return fmt::format("{}, seed {}", to_string(cell.side), cell.job.seed); }

StoredRun as_stored(const Cell &cell, const BootResult &result, std::string started_at) {
    StoredRun run;
    run.cell = cell.id;
    run.identity = cell.identity;
    run.ended = to_string(result.end);
    run.message = result.message;
    if (result.end == BootEnd::done)
        run.record = result.records.front();
    run.hello = result.hello;
    run.started_at = std::move(started_at);
    run.wall_seconds = result.wall_seconds;
    run.environment = cell.environment;
    return run;
}

// The guest's hello lists the features its kernel has.
void refuse_unknown_features(const Cell &cell, const nlohmann::ordered_json &hello) {
    if (!hello.is_object() || !hello.contains("features"))
        return;
    const auto known = hello.at("features").get<std::vector<std::string>>();
    for (const auto &[name, on] : cell.job.features) {
        if (std::find(known.begin(), known.end(), name) != known.end())
            continue;
        const std::string near = nearest(name, known);
        throw usage_error("the kernel has no scheduler feature '" + name + "'",
                          near.empty() ? "it has: " + fmt::format("{}", fmt::join(known, " "))
                                       : "did you mean " + near + "?");
    }
}

void refuse_failure(const Cell &cell, const BootResult &result) {
    refuse_unknown_features(cell, result.hello);
    if (result.end == BootEnd::done)
        return;
    std::string remedy = result.remedy;
    // A guest error or an untrue machine explains itself.
    const bool console_explains = result.end != BootEnd::guest_error && result.end != BootEnd::untrue;
    if (const std::string tail = result.console_tail(); console_explains && !tail.empty())
        remedy += (remedy.empty() ? "" : "\n  ") + std::string("the console said:\n") + tail;
    throw Error(result.code, fmt::format("arm {}: {}", name_of(cell), result.message), remedy);
}

// A kept run was true to the machine's description of its day, which may have been corrected since.
bool is_true(const Machine &machine, const nlohmann::ordered_json &hello) {
    const auto topology = hello.at("topology").get<Topology>();
    return truth_check(machine, topology, hello.at("domains").get<std::vector<CpuDomains>>()).empty();
}

class PlanRunner {
public:
    PlanRunner(std::span<const Cell> plan, const Laboratory &laboratory)
        : plan_(plan), lab_(laboratory), results_(plan.size()) {}

    std::vector<RunResult> run() {
        take_from_store();
        report({});
        {
            std::vector<std::jthread> workers;
            const std::size_t useful = std::min<std::size_t>(lab_.workers, missing_.size());
            for (std::size_t i = 0; i < useful; ++i)
                workers.emplace_back([this] { work(); });
        } // joined here
        if (failure_)
            std::rethrow_exception(failure_);
        return std::move(results_);
    }

private:
    void take_from_store() {
        for (std::size_t i = 0; i < plan_.size(); ++i) {
            auto stored = lab_.fresh ? std::nullopt : lab_.store->find_done(plan_[i].id);
            if (stored && is_true(*lab_.machine, stored->hello))
                results_[i] = {std::move(*stored), true};
            else
                missing_.push_back(i);
        }
    }

    void work() {
        try {
            while (const Cell *cell = next())
                run_one(*cell);
        } catch (...) {
            const std::lock_guard lock(mutex_);
            if (!failure_)
                failure_ = std::current_exception();
        }
    }

    const Cell *next() {
        const std::lock_guard lock(mutex_);
        throw_if_interrupted();
        if (failure_ || begun_ == missing_.size())
            return nullptr;
        return &plan_[missing_[begun_++]];
    }

    void run_one(const Cell &cell) {
        BootRequest request;
        request.machine = lab_.machine;
        request.kernel = cell.kernel;
        request.job = cell.job;
        std::string started_at = lab_.now();
        BootResult result = lab_.boot(request);
        if (result.end == BootEnd::done && result.records.empty()) {
            result.end = BootEnd::guest_error;
            result.message = "the guest ended well and left no record";
        }
        StoredRun run = as_stored(cell, result, std::move(started_at));
        run.id = lab_.store->save(run);
        refuse_failure(cell, result);
        const std::lock_guard lock(mutex_);
        const auto index = std::size_t(&cell - plan_.data());
        results_[index] = {std::move(run), false};
        ++ended_;
        report(name_of(cell));
    }

    void report(const std::string &last) {
        if (lab_.on_progress)
            lab_.on_progress({plan_.size() - missing_.size() + ended_, plan_.size(), last});
    }

    std::span<const Cell> plan_;
    const Laboratory &lab_;
    std::vector<RunResult> results_; // of the plan's cells, in its order
    std::vector<std::size_t> missing_; // cells that the store does not have
    std::mutex mutex_;                 // guards all below, and on_progress
    std::size_t begun_ = 0, ended_ = 0;
    std::exception_ptr failure_;
};

} // namespace

std::vector<RunResult> run_plan(std::span<const Cell> plan, const Laboratory &laboratory) {
    return PlanRunner(plan, laboratory).run();
}

} // namespace schedlab
