// SPDX-License-Identifier: GPL-2.0-or-later
#include "lab/compare_runs.h"

#include <algorithm>
#include <fmt/format.h>
#include <set>

#include "core/error.h"
#include "core/nearest.h"
#include "core/warnings.h"
#include "import/import.h"
#include "lab/arms.h"
#include "lab/differences.h"
#include "loads/load.h"

namespace schedlab {

using Json = nlohmann::ordered_json;

namespace {

// The value at a path of names in nested objects; null where a name is missing.
Json at(const Json &json, std::initializer_list<const char *> path) {
    const Json *value = &json;
    for (const char *name : path) {
        if (!value->is_object() || !value->contains(name))
            return {};
        value = &value->at(name);
    }
    return *value;
}

std::string text_at(const Json &json, std::initializer_list<const char *> path) {
    const Json value = at(json, path);
    return value.is_string() ? value.get<std::string>() : std::string();
}

std::string machine_of(const StoredRun &run) { return text_at(run.identity, {"machine", "name"}); }

std::map<std::string, bool> features_of(const StoredRun &run) {
    std::map<std::string, bool> features;
    for (const Json all = at(run.identity, {"job", "features"}); const auto &[name, on] : all.items())
        features[name] = on == true;
    return features;
}

// What all runs of an arm must share; the names are for people.
std::vector<std::pair<const char *, Json>> traits(const StoredRun &run) {
    return {{"kernels", at(run.identity, {"kernel"})},
            {"scheduler features", at(run.identity, {"job", "features"})},
            {"machines", at(run.identity, {"machine", "name"})},
            {"loads", run.record.load},
            {"options of the load", run.record.options}};
}

void refuse_mixture(const std::string &name, const std::vector<StoredRun> &runs) {
    const auto wanted = traits(runs.front());
    for (const StoredRun &run : runs) {
        const auto has = traits(run);
        for (std::size_t i = 0; i < wanted.size(); ++i)
            if (has[i].second != wanted[i].second)
                throw usage_error(fmt::format("arm {}: runs {} and {} have different {}: {} and {}", name,
                                              runs.front().id, run.id, wanted[i].first, wanted[i].second.dump(),
                                              has[i].second.dump()),
                                  "an arm is runs of one kind: name fewer runs ('schedlab runs list' shows them)");
    }
}

std::vector<StoredRun> newest_of_each_cell(std::vector<StoredRun> runs) {
    std::ranges::sort(runs, std::ranges::greater(), &StoredRun::id);
    std::vector<StoredRun> kept;
    std::set<std::string> seen;
    for (StoredRun &run : runs)
        if (run.ended == "done" && seen.insert(run.cell).second)
            kept.push_back(std::move(run));
    std::ranges::sort(kept, {}, [](const StoredRun &run) { return std::pair(run.record.seed, run.id); });
    return kept;
}

std::vector<std::string> differences(const ArmRuns &a, const ArmRuns &b) {
    std::vector<std::string> warnings;
    const StoredRun &first = a.runs.front(), &second = b.runs.front();
    if (machine_of(first) != machine_of(second))
        warnings.push_back(fmt::format("the arms ran on different machines: {} and {}", machine_of(first), machine_of(second)));
    if (first.record.options != second.record.options)
        warnings.push_back(fmt::format("the load's options differ: {} and {}", first.record.options.dump(),
                                       second.record.options.dump()));
    for (const auto &[name, arm] : {std::pair{"a", &a}, std::pair{"b", &b}}) {
        const Json at_first = environment_of(arm->runs.front());
        for (const StoredRun &run : arm->runs) {
            const auto changed = environment_differences(at_first, environment_of(run));
            if (changed.empty())
                continue;
            warnings.push_back(fmt::format("arm {}: the environment changed between its runs ({}: {}, then {})", name,
                                           changed[0].name, changed[0].a, changed[0].b));
            break;
        }
    }
    return warnings;
}

std::vector<ReportedLoss> losses_of(const ArmRuns &a, const ArmRuns &b) {
    std::vector<ReportedLoss> losses;
    for (const auto &[name, arm] : {std::pair{"a", &a}, std::pair{"b", &b}})
        for (const StoredRun &run : arm->runs)
            for (const Loss &loss : run.record.losses)
                if (loss.count > 0)
                    losses.push_back({name, run.record.seed, loss});
    return losses;
}

void refuse_unlike(const Record &a, const Record &b) {
    if (a.load != b.load)
        throw usage_error(fmt::format("arm a ran {} and arm b {}", a.load, b.load),
                          "only runs of one load can be compared");
    if (a.emulated != b.emulated)
        throw usage_error(fmt::format("arm {} was emulated and arm {} was not", a.emulated ? "a" : "b", a.emulated ? "b" : "a"),
                          "nothing that they measured is alike");
}

[[noreturn]] void refuse_unknown_metric(const std::string &name, const Record &record) {
    std::vector<std::string> names;
    for (const Metric &metric : record.metrics)
        names.push_back(metric.name);
    const std::string near = nearest(name, names);
    throw usage_error(fmt::format("--primary {}: not every run has such a metric", name),
                      near.empty() ? "'schedlab runs show' lists a run's metrics" : "did you mean " + near + "?");
}

} // namespace

std::string title_of(const StoredRun &run, const std::string &unknown) {
    std::string kernel = text_at(run.environment, {"kernel"});
    if (kernel.empty())
        kernel = text_at(run.hello, {"release"});
    return arm_title(kernel.empty() ? unknown : kernel, features_of(run));
}

ArmRuns arm_of(const std::string &name, std::vector<StoredRun> runs, Store *store) {
    ArmRuns arm;
    const std::size_t all = runs.size();
    arm.runs = newest_of_each_cell(std::move(runs));
    if (arm.runs.empty())
        throw Error(all ? Exit::failed : Exit::usage,
                    all ? fmt::format("arm {}: none of its {} runs ended well", name, all)
                        : fmt::format("arm {}: there are no such runs", name),
                    "'schedlab runs list' shows what there is");
    refuse_mixture(name, arm.runs);
    const StoredRun &run = arm.runs.front();
    arm.arm.features = features_of(run);
    arm.arm.kernel = text_at(run.identity, {"kernel"});
    arm.arm.title = title_of(run, name);
    for (const StoredRun &each : arm.runs) {
        arm.arm.seeds.push_back(each.record.seed);
        arm.arm.runs.push_back(each.id);
        arm.arm.started_at.push_back(each.started_at);
    }
    if (const std::string hash = text_at(run.environment, {"configuration"}); store && !hash.empty())
        arm.configuration = store->find_text(hash).value_or("");
    return arm;
}

std::vector<Record> records_of(const ArmRuns &arm) {
    std::vector<Record> records;
    for (const StoredRun &run : arm.runs)
        records.push_back(run.record);
    return records;
}

std::vector<std::string> primary_metrics(const Record &record) {
    const auto loads = all_loads();
    const auto load = std::ranges::find(loads, std::string_view(record.load), &Load::name);
    if (load != loads.end() && std::ranges::any_of(load->primary, [&](std::string_view name) { return record.find(name); }))
        return {load->primary.begin(), load->primary.end()};
    return imported_primary_metrics(record.load);
}

std::vector<std::string> deciding_metrics(const ArmRuns &a, const ArmRuns &b, const std::vector<std::string> &named) {
    const Record &first = a.runs.front().record;
    for (const std::string &name : named) {
        for (const ArmRuns *arm : {&a, &b})
            for (const StoredRun &run : arm->runs)
                if (!run.record.find(name))
                    refuse_unknown_metric(name, run.record);
        if (!has_verdicts(*first.find(name), first.emulated))
            throw usage_error("--primary " + name + ": it is time, and the runs were emulated",
                              "name a metric that is sound there: a count or share of the ledger, insn_per_op");
    }
    return named.empty() ? primary_metrics(first) : named;
}

void refuse_shared_boots(const ArmRuns &a, const ArmRuns &b) {
    std::set<std::string> cells;
    for (const StoredRun &run : a.runs)
        cells.insert(run.cell);
    const auto shared = std::ranges::find_if(b.runs, [&](const StoredRun &run) { return cells.contains(run.cell); });
    if (shared != b.runs.end())
        throw usage_error(fmt::format("{} of the {} boots of arm b are in arm a, too (run {})",
                                      std::ranges::count_if(b.runs, [&](const StoredRun &run) { return cells.contains(run.cell); }),
                                      b.runs.size(), shared->id),
                          "compare boots with other boots; 'ab --aa' tells how much one kernel differs from itself");
}

ComparisonReport compare_runs(const ArmRuns &a, const ArmRuns &b, const CompareRules &rules) {
    const StoredRun &first = a.runs.front(), &second = b.runs.front();
    refuse_unlike(first.record, second.record);
    ComparisonReport report;
    report.machine = machine_of(first);
    report.emulated = first.record.emulated;
    report.a = a.arm;
    report.b = b.arm;
    if (const std::string base = text_at(first.environment, {"base"}); base == text_at(second.environment, {"base"}))
        report.base = base;
    report.load = first.record.load;
    report.options = first.record.options;
    if (const Json domains = at(first.hello, {"domains"}); domains.is_array())
        report.domains = domains.get<std::vector<CpuDomains>>();
    const std::vector<Record> records_a = records_of(a), records_b = records_of(b);
    report.metrics = compare_records(records_a, records_b, rules);
    report.warnings = differences(a, b);
    std::ranges::copy(warnings_about(records_a, records_b, report.metrics, rules), std::back_inserter(report.warnings));
    report.losses = losses_of(a, b);
    report.environment = environment_differences(environment_of(first), environment_of(second));
    report.configuration = configuration_differences(a.configuration, b.configuration);
    return report;
}

} // namespace schedlab
