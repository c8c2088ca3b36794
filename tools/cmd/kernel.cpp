// SPDX-License-Identifier: GPL-2.0-or-later
// schedlab kernel fetch | apply | config | build | list | prune.
#include <algorithm>
#include <ctime>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "cmd/command.h"
#include "cmd/command_line.h"
#include "core/error.h"
#include "kernel/cache.h"
#include "kernel/config.h"
#include "kernel/fetch.h"
#include "kernel/patch_files.h"
#include "kernel/source.h"
#include "kernel/toolchain.h"
#include "kernel/work_tree.h"
#include "report/progress.h"
#include "sys/files.h"
#include "sys/process.h"

namespace schedlab {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

struct Options {
    KernelSpec spec;
    std::vector<std::string> bases; // fetch
    fs::path output;                // apply
    int older_than_days = 30;       // prune
    int keep = -1;
    bool all = false, dry_run = false;
    bool json = false, quiet = false;
};

class Reporter {
public:
    explicit Reporter(const Options &o) : line_(stderr, o.quiet) {}
    Progress progress() {
        return [this](const std::string &phase, double fraction) { line_.update(phase, fraction); };
    }

private:
    ProgressLine line_;
};

void print(const Json &json) { fmt::print("{}\n", json.dump(2)); }

std::string day_text(std::int64_t seconds) {
    const std::time_t time = seconds;
    char text[32];
    std::strftime(text, sizeof text, "%Y-%m-%d", std::localtime(&time));
    return text;
}

// --- fetch -------------------------------------------------------------------------------------------------------

int fetch(const Options &o) {
    std::vector<Base> wanted;
    for (const std::string &name : o.bases)
        wanted.push_back(find_base(name));
    if (wanted.empty())
        wanted = all_bases();
    Json out = Json::array();
    for (const Base &base : wanted) {
        const FetchedSource source = [&] {
            Reporter reporter(o);
            return fetch_source(base, reporter.progress());
        }();
        out.push_back({{"base", base.name},
                       {"package", source.package},
                       {"version", source.version},
                       {"release", source.release},
                       {"tree", source.tree.string()}});
        if (!o.json)
            fmt::print("{}\n", source.tree.string());
    }
    if (o.json)
        print(out);
    return 0;
}

// --- apply -------------------------------------------------------------------------------------------------------

void require_source(const KernelSpec &spec) {
    if (spec.base.empty() == spec.tree.empty())
        throw usage_error("which kernel?", "name one with --base B, or with --tree DIR [--rev REV]");
}

// The patched tree, whole or not at all, at a place that is the user's: files of their own, not links into the cache.
void write_tree(const Source &source, const std::map<std::string, FileChange> &changes, const fs::path &output,
                const Progress &progress) {
    WorkTree work(source.work_name + "-apply", progress);
    progress("patching", -1);
    work.set(source, changes);
    progress("copying to " + output.string(), -1);
    const fs::path parent = fs::absolute(output).parent_path();
    if (!fs::is_directory(parent))
        throw usage_error("no directory '" + parent.string() + "' to make the tree in");
    const TempDir copy("apply", parent);
    run_checked({.argv = {"cp", "-a", "--reflink=auto", work.src().string(), (copy.path() / "tree").string()}});
    fs::rename(copy.path() / "tree", output);
}

int apply(const Options &o) {
    require_source(o.spec);
    const std::vector<Patch> patches = patches_of(o.spec);
    if (patches.empty())
        throw usage_error("no patches", "name them with --patches, or take the project's own with --series");
    if (!o.output.empty() && fs::exists(o.output))
        throw usage_error("'" + o.output.string() + "' is there already",
                          "name a directory that is not, or leave --output out to check only");
    std::map<std::string, FileChange> changes;
    std::string title;
    {
        Reporter reporter(o);
        const Source source = source_of(o.spec, reporter.progress());
        title = source.title;
        changes = apply_patches(patches, source.read);
        if (!o.output.empty())
            write_tree(source, changes, o.output, reporter.progress());
    }
    if (o.json) {
        Json out{{"source", title}, {"patches", Json::array()}, {"files", Json::array()}};
        for (const Patch &patch : patches)
            out["patches"].push_back(patch.name);
        for (const auto &[path, change] : changes)
            out["files"].push_back(path);
        print(out);
        return 0;
    }
    for (const auto &[path, change] : changes)
        fmt::print("{} {}\n", change.content ? "M" : "D", path);
    fmt::print("{} patch{} to {} without fuzz: {} file{} changed\n", patches.size(),
               patches.size() == 1 ? " applies" : "es apply", title, changes.size(),
               changes.size() == 1 ? "" : "s");
    return 0;
}

// --- config ------------------------------------------------------------------------------------------------------

int config(const Options &o) {
    require_source(o.spec);
    const Source source = [&] {
        Reporter reporter(o);
        return source_of(o.spec, reporter.progress());
    }();
    const KernelVersion version = kernel_version(source.read("Makefile").value_or(""), source.title);
    const ConfigOptions options = wanted_options(o.spec.configs, find_arch(o.spec.arch).name, version);
    if (o.json)
        print(options);
    else
        fmt::print("{}", config_text(options));
    return 0;
}

// --- build -------------------------------------------------------------------------------------------------------

int build(const Options &o) {
    require_source(o.spec);
    const Image image = [&] {
        Reporter reporter(o);
        return build_kernel(o.spec, reporter.progress());
    }();
    if (o.json)
        print({{"image", image.image.string()},
               {"config", image.config.string()},
               {"key", image.key},
               {"release", image.release},
               {"title", image.title},
               {"arch", o.spec.arch}});
    else
        fmt::print("{}\n", image.image.string());
    return 0;
}

// --- list, prune -------------------------------------------------------------------------------------------------

std::string_view kind_text(CacheEntry::Kind kind) {
    switch (kind) {
    case CacheEntry::Kind::image: return "image";
    case CacheEntry::Kind::source: return "source";
    case CacheEntry::Kind::work: return "work";
    case CacheEntry::Kind::state: return "state";
    case CacheEntry::Kind::emulator: return "emulator";
    case CacheEntry::Kind::leftover: return "leftover";
    }
    return "";
}

void print_entry(const CacheEntry &entry) {
    const std::string arch = entry.manifest.is_object() ? entry.manifest.value("arch", "") : "";
    fmt::print("{:<8} {:<12.12} {:>9}  {}  {}{}{}\n", kind_text(entry.kind),
               entry.kind == CacheEntry::Kind::image ? entry.path.filename().string() : "", size_text(entry.bytes),
               day_text(entry.last_used), entry.title, arch.empty() ? "" : ", " + arch,
               entry.superseded ? " (superseded)" : "");
}

Json entry_json(const CacheEntry &entry) {
    Json json{{"kind", kind_text(entry.kind)},
              {"path", entry.path.string()},
              {"title", entry.title},
              {"bytes", entry.bytes},
              {"last_used", entry.last_used}};
    if (entry.kind == CacheEntry::Kind::image)
        for (const char *key : {"key", "release", "arch"})
            json[key] = entry.manifest.value(key, "");
    if (entry.kind == CacheEntry::Kind::source)
        json["superseded"] = entry.superseded;
    return json;
}

int list(const Options &o) {
    const std::vector<CacheEntry> entries = list_cache();
    Json all = Json::array();
    for (const CacheEntry &entry : entries) {
        all.push_back(entry_json(entry));
        if (!o.json)
            print_entry(entry);
    }
    if (o.json)
        print(all);
    else if (entries.empty())
        fmt::print("the cache is empty: 'schedlab kernel build --base 6.12' builds a kernel\n");
    return 0;
}

// What goes: what a killed run left (an hour old: no longer being made), sources that no base points to, and what
// nobody used lately.
std::vector<CacheEntry> to_remove(const Options &o) {
    std::vector<CacheEntry> entries = list_cache();
    if (o.all)
        return entries;
    std::ranges::stable_sort(entries, std::greater(), &CacheEntry::last_used);
    const std::int64_t now = std::time(nullptr), hour = 3600, day = 24 * hour;
    int images = 0;
    std::erase_if(entries, [&](const CacheEntry &entry) {
        const std::int64_t age = now - entry.last_used;
        switch (entry.kind) {
        case CacheEntry::Kind::leftover: return age < hour;
        case CacheEntry::Kind::source: return !entry.superseded;
        case CacheEntry::Kind::image:
            if (o.keep >= 0)
                return images++ < o.keep;
            [[fallthrough]];
        case CacheEntry::Kind::work:
        case CacheEntry::Kind::state:
        case CacheEntry::Kind::emulator: return age < o.older_than_days * day;
        }
        return true;
    });
    return entries;
}

int prune(const Options &o) {
    std::uint64_t freed = 0;
    Json removed = Json::array();
    for (const CacheEntry &entry : to_remove(o)) {
        if (!o.dry_run)
            remove_entry(entry);
        freed += entry.bytes;
        removed.push_back(entry_json(entry));
        if (!o.json)
            print_entry(entry);
    }
    if (o.json)
        print({{"removed", removed}, {"bytes", freed}, {"dry_run", o.dry_run}});
    else
        fmt::print("{} {}\n", size_text(freed), o.dry_run ? "would be freed" : "freed");
    return 0;
}

// --- command line ------------------------------------------------------------------------------------------------

CLI::Option *add_kernel_options(CLI::App &app, Options &o) {
    auto *base = app.add_option("--base", o.spec.base, "kernel base (patches/bases): 6.1, 6.12, 7.3");
    auto *tree =
        app.add_option("--tree", o.spec.tree, "a kernel tree of your own; it is left as it is")->excludes(base);
    app.add_option("--rev", o.spec.rev, "this commit of --tree, a git tree; without it the files as they are")
        ->needs(tree);
    return base;
}

void add_source_options(CLI::App &app, Options &o) {
    CLI::Option *base = add_kernel_options(app, o);
    app.add_flag("--series", o.spec.with_series, "with the project's patches for the base")->needs(base);
    app.add_option("--patches", o.spec.patches,
                   "patches to apply, after the series: a directory with a series file, patches, mboxes");
}

} // namespace

int cmd_kernel(const Args &args) {
    Options o;
    int (*command)(const Options &) = nullptr;
    CLI::App app("Fetches, patches and builds kernels, in a cache that is addressed by content.",
                 "schedlab kernel");
    app.require_subcommand(1);
    const auto add = [&](const char *name, const char *help, int (*run)(const Options &)) {
        CLI::App *sub = app.add_subcommand(name, help);
        sub->callback([&command, run] { command = run; });
        sub->add_flag("--json", o.json, "print JSON");
        sub->add_flag("--quiet", o.quiet, "no progress");
        return sub;
    };
    add("fetch", "Get the newest source of bases into the cache (no root needed), and print the trees' paths.",
        fetch)
        ->add_option("BASE", o.bases, "bases to fetch; all if none is named");
    CLI::App *apply_command =
        add("apply", "Apply patches exactly, without fuzz: check only, or write the patched tree.", apply);
    add_source_options(*apply_command, o);
    apply_command->add_option("--output", o.output, "directory to make, with the patched tree");
    CLI::App *build_command = add("build", "Build a kernel, or find it in the cache, and print its path.", build);
    add_source_options(*build_command, o);
    CLI::App *config_command =
        add("config", "Print the options that a measured kernel needs on top of tinyconfig.", config);
    add_kernel_options(*config_command, o);
    o.spec.arch = host_arch();
    for (CLI::App *sub : {build_command, config_command}) {
        sub->add_option("--arch", o.spec.arch, "arm64 or x86_64")->capture_default_str();
        sub->add_option("--config", o.spec.configs,
                        "configuration fragment merged over Kconfig.fragment; repeatable");
    }
    add("list", "Show what the cache holds: images, sources, work trees, saved machines, emulators.", list);
    CLI::App *prune_command =
        add("prune", "Remove what was not used lately, old sources, and what killed runs left.", prune);
    prune_command
        ->add_option("--older-than", o.older_than_days, "days without use after which images, work trees, saved machines and emulators go")
        ->capture_default_str()
        ->check(CLI::Range(0, 36500));
    prune_command
        ->add_option("--keep", o.keep, "keep this many images, the last used, whatever their age; the others go")
        ->check(CLI::Range(0, 1000000));
    prune_command->add_flag("--all", o.all, "remove everything that kernels left in the cache");
    prune_command->add_flag("--dry-run", o.dry_run, "only say what would go");
    return parse_command_line(app, args) ? command(o) : 0;
}

} // namespace schedlab
