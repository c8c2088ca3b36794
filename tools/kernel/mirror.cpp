// SPDX-License-Identifier: GPL-2.0-or-later
#include "kernel/mirror.h"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <fmt/format.h>
#include <regex>
#include <sstream>
#include <sys/stat.h>

#include "core/error.h"
#include "kernel/cache.h"
#include "kernel/git_tree.h"
#include "sys/files.h"
#include "sys/interrupt.h"

namespace schedlab {

namespace fs = std::filesystem;

namespace {

// What `make` leaves in a tree it is run in; a build out of the tree refuses to start beside it.
bool is_build_product(const std::string &path) {
    static const std::regex products(
        R"(\.git|\.config|include/config|include/generated|arch/[^/]+/include/generated|(.*/)?\.[^/]*\.cmd|)"
        R"((.*/)?\.tmp_[^/]*|.*\.(o|a|ko|mod|order|symvers)|vmlinux)");
    return std::regex_match(path, products);
}

void list_file(const fs::path &tree, const std::string &path, TreeListing &listing) {
    struct stat info {};
    if (::lstat((tree / path).c_str(), &info) != 0) {
        if (errno == ENOENT)
            return; // deleted, but still in git's index
        throw environment_error("cannot look at " + (tree / path).string() + ": " + errno_text(errno));
    }
    if (S_ISREG(info.st_mode) || S_ISLNK(info.st_mode))
        listing[path] =
            fmt::format("{:o} {} {}.{:09}", info.st_mode, info.st_size, info.st_mtim.tv_sec, info.st_mtim.tv_nsec);
}

TreeListing from_text(const std::string &text) {
    TreeListing listing;
    std::istringstream entries(text);
    for (std::string facts, path; std::getline(entries, facts, '\t') && std::getline(entries, path, '\0');)
        listing[path] = facts;
    return listing;
}

std::uint64_t bytes_on_disk(const std::string &facts) {
    constexpr std::uint64_t block = 4096;
    const std::uint64_t size = std::strtoull(facts.c_str() + facts.find(' '), nullptr, 10);
    return (size + block - 1) / block * block;
}

// Complete under its name, or not there; its time is now, so that make sees it.
void copy_entry(const fs::path &from, const fs::path &to) {
    const fs::path partial = to.string() + ".schedlab-partial";
    fs::create_directories(to.parent_path());
    fs::remove(partial);
    if (fs::is_symlink(from))
        fs::copy_symlink(from, partial);
    else
        fs::copy_file(from, partial);
    fs::rename(partial, to);
}

} // namespace

TreeListing list_tree(const fs::path &tree) {
    TreeListing listing;
    if (GitTree::is_git(tree)) {
        for (const std::string &path : GitTree(tree).files())
            list_file(tree, path, listing);
        return listing;
    }
    for (auto it = fs::recursive_directory_iterator(tree); it != fs::end(it); ++it) {
        const std::string path = it->path().lexically_relative(tree).string();
        if (is_build_product(path))
            it.disable_recursion_pending();
        else
            list_file(tree, path, listing);
    }
    return listing;
}

std::string to_text(const TreeListing &listing) {
    std::string text;
    for (const auto &[path, facts] : listing)
        text += facts + '\t' + path + '\0';
    return text;
}

void mirror(const fs::path &tree, const TreeListing &files, const fs::path &to, const fs::path &index) try {
    const TreeListing before = from_text(read_file_or(index));
    if (before.empty())
        fs::remove_all(to); // a first copy that was killed
    for (const auto &[path, facts] : before)
        if (!files.contains(path))
            fs::remove(to / path);
    TreeListing changed;
    std::ranges::set_difference(files, before, std::inserter(changed, changed.end()));
    std::uint64_t bytes = 0;
    for (const auto &[path, facts] : changed)
        bytes += bytes_on_disk(facts);
    require_space("copying " + tree.string(), bytes);
    for (const auto &[path, facts] : changed) {
        throw_if_interrupted();
        copy_entry(tree / path, to / path);
    }
    if (list_tree(tree) != files)
        throw run_error("'" + tree.string() + "' was changed while it was copied",
                        "run it again when the tree is at rest");
    write_file_atomically(index, to_text(files));
} catch (const fs::filesystem_error &e) {
    throw environment_error(
        fmt::format("cannot copy {}: {}: {}", tree.string(), e.path1().string(), e.code().message()));
}

} // namespace schedlab
