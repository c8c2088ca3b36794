// SPDX-License-Identifier: GPL-2.0-or-later
#include "kernel/source.h"

#include <fmt/format.h>

#include "core/error.h"
#include "kernel/fetch.h"
#include "kernel/git_tree.h"
#include "kernel/mirror.h"
#include "sys/files.h"
#include "sys/hash.h"
#include "sys/process.h"

namespace schedlab {

namespace fs = std::filesystem;

namespace {

ReadTreeFile read_from(const fs::path &tree) {
    return [tree](const std::string &path) -> std::optional<std::string> {
        return fs::is_regular_file(tree / path) ? std::optional(read_file(tree / path)) : std::nullopt;
    };
}

} // namespace

Source unpacked_source(const std::string &package, const std::string &version, const std::string &title,
                       const fs::path &from) {
    Source source;
    source.id = package + " " + version;
    source.work_name = package + "_" + version;
    source.title = title;
    source.read = read_from(from);
    source.materialize = [from](const fs::path &tree) {
        if (fs::exists(tree))
            return; // what patches did to it is known, and undone, by the work tree
        // Hard links: the work tree replaces files, it never writes into them.
        const TempDir copy("tree", tree.parent_path());
        run_checked({.argv = {"cp", "-al", from.string(), (copy.path() / "src").string()}});
        fs::rename(copy.path() / "src", tree);
    };
    return source;
}

Source base_source(const Base &base, const Progress &progress) {
    auto fetched = cached_source(base);
    if (!fetched)
        fetched = fetch_source(base, progress);
    return unpacked_source(fetched->package, fetched->version, fetched->release, fetched->tree);
}

Source git_source(const fs::path &path, const std::string &rev) {
    const GitTree git(path);
    const GitCommit commit = git.find_commit(rev);
    Source source;
    source.id = "git " + commit.tree;
    source.work_name = "git-" + sha256_hex(git.directory().string()).substr(0, 16);
    source.title = fmt::format("{} ({}, {})", rev, commit.id.substr(0, 12), commit.subject);
    source.read = [git, commit](const std::string &file) { return git.read(commit, file); };
    source.materialize = [git, commit](const fs::path &tree) {
        git.check_out(commit, tree, tree.parent_path() / "index");
    };
    return source;
}

Source directory_source(const fs::path &path) {
    const fs::path tree = fs::canonical(path);
    const auto files = list_tree(tree);
    const std::string key = sha256_hex(tree.string() + "\n" + to_text(files));
    Source source;
    source.id = "directory " + key;
    source.work_name = "tree-" + sha256_hex(tree.string()).substr(0, 16);
    source.title = tree.filename().string() + " as it is";
    source.read = read_from(tree);
    source.materialize = [tree, files](const fs::path &to) {
        mirror(tree, files, to, to.parent_path() / "mirror");
    };
    return source;
}

Source source_of(const KernelSpec &spec, const Progress &progress) {
    if (!spec.base.empty())
        return base_source(find_base(spec.base), progress);
    if (!fs::is_directory(spec.tree))
        throw usage_error("no kernel tree at '" + spec.tree.string() + "'",
                          "--tree names a directory: a git tree or unpacked source");
    return spec.rev.empty() ? directory_source(spec.tree) : git_source(spec.tree, spec.rev);
}

} // namespace schedlab
