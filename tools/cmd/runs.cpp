// SPDX-License-Identifier: GPL-2.0-or-later
// schedlab runs: what the store holds, and what can be made of it.
#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <fmt/format.h>
#include <fstream>
#include <optional>

#include "boot/boot.h"
#include "cmd/comparison_output.h"
#include "cmd/run_list.h"
#include "core/error.h"
#include "lab/compare_runs.h"
#include "store/run_json.h"
#include "sys/files.h"

namespace schedlab {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t import_batch = 1000; // runs that are saved in one transaction

struct Options {
    std::string db = "schedlab.db", which, second, name;
    RunQuery narrow;
    std::vector<std::string> primary, files;
    std::int64_t newest = 50;
    ComparisonOutput output;
    bool remove = false, tags = false, json = false;
};

// What `which` names, narrowed by the options beside it.
RunQuery query_of(const Options &o, const std::string &which) {
    RunQuery query = which.empty() ? RunQuery() : parse_run_query(which);
    query.machine = o.narrow.machine;
    query.load = o.narrow.load;
    query.ended = o.narrow.ended;
    return query;
}

[[noreturn]] void refuse_unknown(const Options &o) {
    throw usage_error(fmt::format("no such run in {}: '{}'", o.db, o.which), "'schedlab runs list' shows what there is");
}

int list(const Options &o) {
    Store store = open_kept_store(o.db);
    if (o.tags) {
        for (const auto &[name, count] : store.tags())
            fmt::print("{:<24} {} runs\n", name, count);
        return 0;
    }
    RunQuery query = query_of(o, o.which);
    query.newest = o.newest;
    std::vector<StoredRun> runs = store.find(query);
    if (runs.empty() && !o.which.empty())
        refuse_unknown(o);
    if (query.newest)
        std::ranges::reverse(runs);
    if (!o.json) {
        fmt::print("{}", run_list(runs, terminal_of(stdout)));
        return 0;
    }
    for (const StoredRun &run : runs)
        fmt::print("{}\n", run_json(run).dump());
    return 0;
}

int show(const Options &o) {
    const std::vector<StoredRun> runs = open_kept_store(o.db).find(query_of(o, o.which));
    if (runs.empty())
        refuse_unknown(o);
    for (const StoredRun &run : runs)
        fmt::print("{}", !o.json ? run_text(run) : run_json(run).dump(2) + "\n");
    return 0;
}

int compare(const Options &o, const std::string &command) {
    o.output.check();
    Store store = open_kept_store(o.db);
    const ArmRuns a = arm_of(o.which, store.find(query_of(o, o.which)), &store);
    const ArmRuns b = arm_of(o.second, store.find(query_of(o, o.second)), &store);
    CompareRules rules;
    refuse_shared_boots(a, b);
    rules.primary = deciding_metrics(a, b, o.primary);
    ComparisonReport report = compare_runs(a, b, rules);
    report.kept_in = fmt::format("{}: {} runs", o.db, a.runs.size() + b.runs.size());
    return o.output.keep_and_write(report, store, command);
}

int tag(const Options &o) {
    Store store = open_kept_store(o.db, Access::write);
    check_tag(o.name);
    RunQuery any = query_of(o, o.which);
    any.newest = 1;
    if (store.find(any).empty())
        refuse_unknown(o);
    const std::int64_t changed = o.remove ? store.untag(query_of(o, o.which), o.name)
                                          : store.tag(query_of(o, o.which), o.name);
    fmt::print("{}: {} runs {}\n", o.name, changed, o.remove ? "lost it" : "got it");
    return 0;
}

int export_runs(const Options &o) {
    bool any = false;
    open_kept_store(o.db).visit(query_of(o, o.which), [&](const StoredRun &run) {
        any = true;
        fmt::print("{}\n", run_json(run).dump());
    });
    if (!any && !o.which.empty())
        refuse_unknown(o);
    return 0;
}

int import_runs(const Options &o) {
    std::size_t taken = 0, known = 0;
    std::vector<StoredRun> batch;
    auto save_batch = [&, store = std::optional<Store>()]() mutable {
        if (!store) // not before there is something for it: a bad file makes no empty store
            store.emplace(o.db);
        const std::size_t all = batch.size();
        std::erase_if(batch, [&](const StoredRun &run) { return store->holds(run); });
        store->save(batch);
        taken += batch.size();
        known += all - batch.size();
        batch.clear();
    };
    for (const std::string &file : o.files) {
        std::ifstream in(file);
        if (!in || std::filesystem::is_directory(file))
            throw file_error("read", file, in ? EISDIR : errno);
        if (in.peek() == std::ifstream::traits_type::eof())
            throw usage_error(file + ": an empty file");
        std::size_t number = 0;
        for (std::string line; std::getline(in, line);) {
            const std::string where = fmt::format("{}:{}", file, ++number);
            batch.push_back(parse_run(line, where));
            if (batch.size() == import_batch)
                save_batch();
        }
        save_batch();
    }
    fmt::print("{}: {} runs imported, {} were there\n", o.db, taken, known);
    return 0;
}

int remove(const Options &o) {
    const RunQuery query = query_of(o, o.which);
    if (!query.narrowed())
        throw usage_error("runs delete: which runs?", "numbers, a tag, or --ended, --load, --machine");
    const std::int64_t deleted = open_kept_store(o.db, Access::write).remove(query);
    if (deleted == 0 && !o.which.empty())
        refuse_unknown(o);
    fmt::print("{}: {} runs deleted\n", o.db, deleted);
    return 0;
}

std::string end_complaint(const std::string &text) {
    std::vector<std::string> ends;
    for (int end = int(BootEnd::done); end <= int(BootEnd::out_of_memory); ++end)
        ends.emplace_back(to_string(BootEnd(end)));
    return std::ranges::find(ends, text) != ends.end() ? "" : fmt::format("no run ends '{}': {}", text, fmt::join(ends, ", "));
}

CLI::App *add_command(CLI::App &app, Options &o, const char *name, const char *summary) {
    CLI::App *sub = app.add_subcommand(name, summary);
    sub->add_option("--db", o.db, "the file that keeps the runs")->capture_default_str();
    return sub;
}

void add_narrowing(CLI::App *sub, Options &o, bool required) {
    sub->add_option("RUNS", o.which, "numbers (12-20,31) or a tag")->required(required);
    sub->add_option("--machine", o.narrow.machine, "only on this machine");
    sub->add_option("--load", o.narrow.load, "only under this load");
    sub->add_option("--ended", o.narrow.ended, "only those that ended so: done, panic, hang ...")->check(end_complaint);
}

} // namespace

int cmd_runs(const Args &args) {
    Options o;
    CLI::App app("What the store of runs holds.", "schedlab runs");
    app.require_subcommand(1);
    CLI::App *list_command = add_command(app, o, "list", "list runs, the newest last");
    add_narrowing(list_command, o, false);
    list_command->add_option("--newest", o.newest, "only so many of the newest; 0: all")->capture_default_str()
        ->check(CLI::Range(0, 1'000'000'000));
    list_command->add_flag("--tags", o.tags, "list the tags instead");
    list_command->add_flag("--json", o.json, "a run per line");
    CLI::App *show_command = add_command(app, o, "show", "show runs: where they came from, environment, metrics");
    add_narrowing(show_command, o, true);
    show_command->add_flag("--json", o.json, "as JSON");
    CLI::App *compare_command = add_command(app, o, "compare", "compare two sets of runs");
    compare_command->add_option("A", o.which, "runs of arm a: numbers (12-20,31) or a tag")->required();
    compare_command->add_option("B", o.second, "runs of arm b")->required();
    compare_command->add_option("--machine", o.narrow.machine, "of both, only on this machine");
    compare_command->add_option("--load", o.narrow.load, "of both, only under this load");
    compare_command->add_option("--primary", o.primary, "metrics that decide, instead of the load's own")->delimiter(',');
    o.output.add_options(*compare_command);
    CLI::App *tag_command = add_command(app, o, "tag", "give runs a name");
    tag_command->add_option("TAG", o.name, "the name")->required();
    add_narrowing(tag_command, o, true);
    tag_command->add_flag("--remove", o.remove, "take it from them");
    CLI::App *export_command = add_command(app, o, "export", "write runs to stdout as JSON, one a line");
    add_narrowing(export_command, o, false);
    CLI::App *import_command = add_command(app, o, "import", "take in runs that 'export' wrote");
    import_command->add_option("FILE", o.files, "what to read")->required();
    CLI::App *delete_command = add_command(app, o, "delete", "delete runs");
    add_narrowing(delete_command, o, false);
    if (!parse_command_line(app, args))
        return 0;
    if (*list_command)
        return list(o);
    if (*show_command)
        return show(o);
    if (*compare_command)
        return compare(o, fmt::format("schedlab runs {}", fmt::join(args, " ")));
    if (*tag_command)
        return tag(o);
    if (*export_command)
        return export_runs(o);
    if (*import_command)
        return import_runs(o);
    return remove(o);
}

} // namespace schedlab
