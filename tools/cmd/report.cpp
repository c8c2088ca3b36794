// SPDX-License-Identifier: GPL-2.0-or-later
// schedlab report: a comparison that was kept, in any format.
#include <cstdio>
#include <fmt/format.h>

#include "cmd/command_line.h"
#include "core/error.h"
#include "report/format.h"
#include "store/store.h"
#include "sys/files.h"

namespace schedlab {

namespace {

struct Options {
    std::string db = "schedlab.db", format = "text", out;
    std::int64_t number = 0, newest = 20;
    bool list = false;
};

std::string number_complaint(const std::string &text) {
    const bool fits = !text.empty() && text.size() < 19 && text.find_first_not_of("0123456789") == text.npos && text[0] != '0';
    return fits ? "" : "'" + text + "' is no comparison's number";
}

// False: help was asked for.
bool parse(const Args &args, Options &o) {
    CLI::App app("Prints a comparison that the store keeps, as it was made.", "schedlab report");
    app.add_option("NUMBER", o.number, "which, as --list shows; the newest if not given")->check(number_complaint);
    app.add_option("--format", o.format, std::string("print it as: ") + format_names)->capture_default_str();
    app.add_option("--out", o.out, "write it to this file");
    app.add_option("--db", o.db, "the file that keeps runs and comparisons")->capture_default_str();
    app.add_flag("--list", o.list, "list the comparisons instead, the newest last");
    app.add_option("--newest", o.newest, "list only so many of the newest")->capture_default_str()
        ->check(CLI::Range(1, 1'000'000'000));
    return parse_command_line(app, args);
}

void list(Store &store, const Options &o) {
    std::vector<ComparisonSummary> all = store.comparisons(o.newest);
    std::ranges::reverse(all);
    for (const ComparisonSummary &c : all)
        fmt::print("{:>6}  {}  {:<8} {}\n", c.id, c.made_at, c.verdict, c.command);
}

// When its runs began; nothing if one of them was deleted since.
std::vector<std::string> starts_of(Store &store, const std::vector<std::int64_t> &runs) {
    std::vector<std::string> starts;
    for (const std::int64_t id : runs) {
        const std::vector<StoredRun> run = store.find({.ids = {{id, id}}});
        if (run.empty())
            return {};
        starts.push_back(run.front().started_at);
    }
    return starts;
}

ComparisonReport parse_kept(const Store &store, const StoredComparison &kept) {
    try {
        return parse_comparison(kept.report);
    } catch (const Error &e) {
        throw damaged_comparison(kept.id, store.path(), e.what());
    }
}

ComparisonReport report_of(Store &store, const StoredComparison &kept) {
    ComparisonReport report = parse_kept(store, kept);
    report.command = kept.command;
    report.made_at = kept.made_at;
    report.a.runs = kept.runs_a;
    report.b.runs = kept.runs_b;
    for (ReportedArm *arm : {&report.a, &report.b}) {
        arm->started_at = starts_of(store, arm->runs);
        if (arm->started_at.size() < arm->runs.size())
            report.warnings.push_back(fmt::format("not all runs of {} are in the store any more: their numbers name nothing now",
                                                  arm == &report.a ? "a" : "b"));
    }
    report.kept_in = fmt::format("{}: comparison {} of {}", store.path().string(), kept.id, kept.made_at);
    return report;
}

} // namespace

int cmd_report(const Args &args) {
    Options o;
    if (!parse(args, o))
        return 0;
    const Format format = parse_format(o.format);
    Store store = open_kept_store(o.db);
    if (o.list) {
        list(store, o);
        return 0;
    }
    const std::optional<StoredComparison> kept = store.find_comparison(o.number);
    if (!kept)
        throw usage_error(o.number ? fmt::format("there is no comparison {} in {}", o.number, o.db)
                                   : fmt::format("there is no comparison in {}", o.db),
                          "'schedlab report --list' shows what there is; 'schedlab ab' makes one");
    const std::string text = comparison_in(format, report_of(store, *kept), o.out.empty() ? terminal_of(stdout) : Terminal());
    if (o.out.empty())
        std::fputs(text.c_str(), stdout);
    else
        write_file_atomically(o.out, text);
    return 0;
}

} // namespace schedlab
