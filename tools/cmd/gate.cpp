// SPDX-License-Identifier: GPL-2.0-or-later
// schedlab gate: runs that are kept, against others that are the measure → passed or not, for scripts and CI.
#include <cstdio>
#include <fmt/format.h>

#include "cmd/command_line.h"
#include "core/error.h"
#include "core/gate.h"
#include "lab/compare_runs.h"
#include "report/gate_report.h"
#include "sys/files.h"

namespace schedlab {

namespace {

struct Options {
    std::string runs, baseline, margin = "1%", machine, load, format = "text", out, db = "schedlab.db";
    std::vector<std::string> metrics;
    bool lenient = false;
};

constexpr auto summary = "Are runs no worse than a baseline, within a margin? Exits with 0 if that is shown for every metric,\n"
                         "with 1 if not.";

// False: help was asked for.
bool parse(const Args &args, Options &o) {
    CLI::App app(summary, "schedlab gate");
    app.add_option("RUNS", o.runs, "what is to pass: numbers (12-20,31) or a tag ('schedlab runs tag')")->required();
    app.add_option("--baseline", o.baseline, "what it is measured by: numbers or a tag")->required();
    app.add_option("--metric", o.metrics, "NAME, or NAME:M% with a margin of its own; repeatable. If not given, those that "
                                          "decide under the load");
    app.add_option("--margin", o.margin, "how much worse is still good enough; of shares, percentage points; of counts at "
                                         "least one event per run")->capture_default_str()->take_last();
    app.add_option("--machine", o.machine, "only runs on this machine");
    app.add_option("--load", o.load, "only runs under this load");
    app.add_flag("--lenient", o.lenient, "what is undecided does not fail");
    app.add_option("--format", o.format, "text, ktap or junit")->capture_default_str()
        ->check(CLI::IsMember({"text", "ktap", "junit"}));
    app.add_option("--out", o.out, "write to this file instead of stdout");
    app.add_option("--db", o.db, "file that keeps the runs")->capture_default_str();
    return parse_command_line(app, args);
}

ArmRuns find_arm(Store &store, const Options &o, const std::string &which) {
    RunQuery query = parse_run_query(which);
    query.machine = o.machine;
    query.load = o.load;
    return arm_of(which, store.find(query));
}

std::vector<GateRule> rules_of(const Options &o, const ComparisonReport &report) {
    const double margin = parse_margin(o.margin);
    std::vector<GateRule> rules;
    for (const std::string &text : o.metrics)
        rules.push_back(parse_gate_rule(text, margin));
    if (o.metrics.empty())
        for (const Comparison &c : report.metrics)
            if (c.primary)
                rules.push_back({c.metric.name, margin});
    if (rules.empty())
        throw usage_error("gate: nothing under load " + report.load + " decides by itself", "name metrics with --metric");
    return rules;
}

GateReport judge(const Options &o) {
    Store store = open_kept_store(o.db);
    const ArmRuns baseline = find_arm(store, o, o.baseline), runs = find_arm(store, o, o.runs);
    refuse_shared_boots(baseline, runs);
    CompareRules rules;
    rules.primary = primary_metrics(baseline.runs.front().record);
    const ComparisonReport report = compare_runs(baseline, runs, rules);
    const std::string where = report.machine.empty() ? "" : " on " + report.machine;
    return {fmt::format("{} ({}) against {} ({}), {}{}", o.runs, report.b.title, o.baseline, report.a.title, report.load,
                        where),
            gate(report.metrics, rules_of(o, report), report.emulated), o.lenient, report.warnings};
}

} // namespace

int cmd_gate(const Args &args) {
    Options o;
    if (!parse(args, o))
        return 0;
    const GateReport report = judge(o);
    const std::string text = o.format == "ktap"    ? gate_ktap(report)
                             : o.format == "junit" ? gate_junit(report)
                                                   : gate_text(report, o.out.empty() ? terminal_of(stdout) : Terminal());
    if (o.out.empty())
        fmt::print("{}", text);
    else
        write_file_atomically(o.out, text);
    return int(report.passed() ? Exit::ok : Exit::failed);
}

} // namespace schedlab
