// SPDX-License-Identifier: GPL-2.0-or-later
// schedlab import and schedlab compare: logs of other tools, and runs that were exported, as runs.
#include <algorithm>
#include <cstdio>
#include <fmt/format.h>

#include "cmd/comparison_output.h"
#include "core/error.h"
#include "core/printable.h"
#include "lab/compare_runs.h"
#include "lab/imported_runs.h"

namespace schedlab {

namespace {

constexpr std::size_t skips_shown = 10; // per file

struct Options {
    std::vector<std::string> files, patched, primary;
    std::string db = "schedlab.db", tag;
    std::vector<std::string> commands;
    ImportChoice choice;
    ComparisonOutput output;
    bool quiet = false;
};

void tell(const std::string &file, const ImportedFile &imported, const Options &o) {
    if (o.quiet)
        return;
    fmt::print(stderr, "{}: {}, {} results\n", file, imported.format, imported.runs.size());
    const std::size_t shown = std::min(skips_shown, imported.skipped.size());
    for (std::size_t i = 0; i < shown; ++i)
        fmt::print(stderr, "{}:{}: skipped: {}\n", file, imported.skipped[i].line, printable(imported.skipped[i].reason));
    if (imported.skipped.size() > shown)
        fmt::print(stderr, "{}: {} were skipped\n", file, more_skipped(imported.skipped, shown));
}

std::vector<StoredRun> read_all(const std::vector<std::string> &files, const Options &o) {
    ImportChoice choice = o.choice;
    choice.commands.insert(o.commands.begin(), o.commands.end());
    std::vector<ImportedFile> all;
    for (const std::string &file : files) {
        all.push_back(runs_of_file(file, choice));
        tell(file, all.back(), o);
    }
    return numbered(std::move(all));
}

void add_options(CLI::App &app, Options &o) {
    app.add_option("--machine", o.choice.machine, "what the machine is called that the logs are from");
    app.add_option("--topology", o.choice.topology, "of traces: a file of 'cpu N core N ...' lines; this machine's if not given");
    app.add_option("--command", o.commands, "of traces: count only tasks called so; repeatable");
    app.add_flag("--quiet", o.quiet, "do not say what was read and what was skipped");
    app.footer("Files are runs that 'schedlab runs export' wrote, records of 'schedlab bench --json', traces of the scheduler (ftrace,\nperf script), or logs of:\n" + import_help());
}

std::string names_of(const std::vector<std::string> &files) {
    return files.size() == 1 ? files[0] : fmt::format("{} and {} more", files[0], files.size() - 1);
}

ArmRuns arm_from(const std::vector<std::string> &files, const Options &o) {
    ArmRuns arm = arm_of(names_of(files), read_all(files, o));
    arm.arm.runs.clear(); // they are in no store
    return arm;
}

} // namespace

int cmd_import(const Args &args) {
    Options o;
    CLI::App app("Reads logs of other tools and keeps each result as a run.", "schedlab import");
    app.add_option("FILE", o.files, "what to read")->required();
    app.add_option("--db", o.db, "the file that keeps the runs")->capture_default_str();
    app.add_option("--tag", o.tag, "tag the runs");
    app.add_option("--kernel", o.choice.kernel, "what the kernel is called that the logs are from");
    add_options(app, o);
    if (!parse_command_line(app, args))
        return 0;
    if (!o.tag.empty())
        check_tag(o.tag);
    std::vector<StoredRun> runs = read_all(o.files, o);
    Store store(o.db);
    std::vector<StoredRun> fresh;
    for (StoredRun &run : runs) {
        if (!o.tag.empty() && std::ranges::find(run.tags, o.tag) == run.tags.end())
            run.tags.push_back(o.tag);
        if (!store.find_done(run.cell))
            fresh.push_back(std::move(run));
    }
    store.save(fresh);
    fmt::print("{}: {} runs imported, {} were there\n", o.db, fresh.size(), runs.size() - fresh.size());
    return 0;
}

int cmd_compare(const Args &args) {
    Options o;
    CLI::App app("Compares results in files, those before -- with those behind it; nothing is kept.\n"
                 "schedlab compare [OPTIONS] BASE... -- PATCHED...",
                 "schedlab compare");
    const auto dashes = std::ranges::find(args, "--");
    app.add_option("BASE", o.files, "files of arm a; those of arm b follow behind --")->required();
    app.add_option("--primary", o.primary, "metrics that decide, instead of the load's own")->delimiter(',');
    o.output.add_options(app);
    add_options(app, o);
    if (!parse_command_line(app, Args(args.begin(), dashes)))
        return 0;
    if (dashes != args.end())
        o.patched.assign(dashes + 1, args.end());
    if (o.patched.empty())
        throw usage_error("compare: no files of the second arm", "schedlab compare BASE... -- PATCHED...");
    o.output.check();
    const ArmRuns a = arm_from(o.files, o), b = arm_from(o.patched, o);
    CompareRules rules;
    refuse_shared_boots(a, b);
    rules.primary = deciding_metrics(a, b, o.primary);
    ComparisonReport report = compare_runs(a, b, rules);
    report.command = fmt::format("schedlab compare {}", fmt::join(args, " "));
    return o.output.write(report);
}

} // namespace schedlab
