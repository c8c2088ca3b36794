// SPDX-License-Identifier: GPL-2.0-or-later
// Where a kernel's files come from: a base's package, a commit of a git tree, or a directory as it is.
#pragma once

#include <filesystem>
#include <functional>
#include <string>

#include "core/series.h"
#include "kernel/kernel.h"

namespace schedlab {

struct Source {
    std::string id;        // equal ids: equal content
    std::string work_name; // of the work tree that is reused for it and its relatives (other commits, edits)
    std::string title;     // for people: "6.12.117", "HEAD~1 (1a2b3c4d5e6f)"
    ReadTreeFile read;     // a file of the source, unpatched
    // Makes `tree` hold the source: from nothing, or from what a former call and patches left there. Touches only
    // files that differ from the last time.
    std::function<void(const std::filesystem::path &tree)> materialize;
};

// An unpacked package in the cache.
Source unpacked_source(const std::string &package, const std::string &version, const std::string &title,
                       const std::filesystem::path &tree);
// A base's source in the cache; fetched if it is not there (kernel/fetch.h).
Source base_source(const Base &base, const Progress &progress);
// A commit of a git tree. Their index, HEAD and working files are not touched, and nothing is registered there: the
// commit is checked out through an index of our own.
Source git_source(const std::filesystem::path &tree, const std::string &rev);
// A directory as it is now: of a git tree what git does not ignore, of another one all but build products.
Source directory_source(const std::filesystem::path &tree);

// The one that `spec` names.
Source source_of(const KernelSpec &spec, const Progress &progress);

} // namespace schedlab
