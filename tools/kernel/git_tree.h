// SPDX-License-Identifier: GPL-2.0-or-later
// A git repository that is somebody else's: read, never changed.
//
// Commits are checked out with an index of our own (GIT_INDEX_FILE) into a directory of our own. Compared with
// `git worktree add`, nothing is registered in their repository that a killed run could leave there, and going from
// one commit to the next rewrites only the files that differ, so that a build stays incremental.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace schedlab {

struct GitCommit {
    std::string id, tree; // object names
    std::string subject;
};

class GitTree {
public:
    // Throws a usage error if `path` is not the top of a git work tree, or a bare repository.
    explicit GitTree(const std::filesystem::path &path);
    static bool is_git(const std::filesystem::path &path);

    const std::filesystem::path &directory() const { return git_dir_; }
    GitCommit find_commit(const std::string &rev) const; // throws a usage error
    std::optional<std::string> read(const GitCommit &commit, const std::string &file) const;
    // Makes `tree` hold the commit's files. `index` remembers what is there. Files not in git stay.
    void check_out(const GitCommit &commit, const std::filesystem::path &tree,
                   const std::filesystem::path &index) const;
    // Paths of the work tree's files, tracked or new, without what git ignores. Deleted ones may be named.
    std::vector<std::string> files() const;

private:
    std::filesystem::path path_, git_dir_;
};

} // namespace schedlab
