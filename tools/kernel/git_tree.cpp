// SPDX-License-Identifier: GPL-2.0-or-later
#include "kernel/git_tree.h"

#include <sstream>

#include "core/error.h"
#include "sys/files.h"
#include "sys/process.h"

namespace schedlab {

namespace fs = std::filesystem;

namespace {

// Neither locks nor writes anything of theirs, and the surroundings (a hook, an alias) do not redirect it.
Command git(const fs::path &cwd, std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), {"git", "-c", "core.fsmonitor=false", "-c", "core.splitIndex=false", "-c",
                                         "core.sparseCheckout=false"});
    return {.argv = std::move(arguments),
            .env = {{"GIT_OPTIONAL_LOCKS", "0"},
                    {"LC_ALL", "C"},
                    {"GIT_DIR", ""},
                    {"GIT_WORK_TREE", ""},
                    {"GIT_INDEX_FILE", ""}},
            .cwd = cwd};
}

std::string first_line(const std::string &text) { return text.substr(0, text.find('\n')); }

} // namespace

bool GitTree::is_git(const fs::path &path) {
    // Not: a plain tree that happens to lie in somebody's repository.
    return fs::exists(path / ".git") || (fs::exists(path / "HEAD") && fs::is_directory(path / "objects"));
}

GitTree::GitTree(const fs::path &path) : path_(path) {
    if (!is_git(path))
        throw usage_error("'" + path.string() + "' is no git tree, so it has no commits",
                          "leave the revision out to take the directory as it is");
    const Finished asked = run(git(path, {"rev-parse", "--absolute-git-dir"}));
    if (!asked.ok())
        throw environment_error("git cannot read '" + path.string() + "': " + first_line(asked.err));
    git_dir_ = first_line(asked.out);
}

GitCommit GitTree::find_commit(const std::string &rev) const {
    const Finished found =
        run(git(path_, {"rev-parse", "--verify", "--quiet", "--end-of-options", rev + "^{commit}"}));
    if (!found.ok())
        throw usage_error("'" + path_.string() + "' has no commit '" + rev + "'",
                          "'git -C " + path_.string() + " log' shows what there is");
    const std::string id = first_line(found.out);
    std::istringstream shown(run_checked(git(path_, {"show", "-s", "--format=%T%n%s", id})));
    GitCommit commit;
    commit.id = id;
    std::getline(shown, commit.tree);
    std::getline(shown, commit.subject);
    return commit;
}

std::optional<std::string> GitTree::read(const GitCommit &commit, const std::string &file) const {
    Finished found = run(git(path_, {"cat-file", "blob", commit.id + ":" + file}));
    return found.ok() ? std::optional(std::move(found.out)) : std::nullopt;
}

void GitTree::check_out(const GitCommit &commit, const fs::path &tree, const fs::path &index) const {
    fs::create_directories(tree);
    fs::remove(index.string() + ".lock"); // the work tree is locked by us: a killed run's
    Command command = git(tree, {"--git-dir=" + git_dir_.string(), "--work-tree=" + tree.string(), "read-tree",
                                 "--reset", "-u", commit.id});
    command.env["GIT_INDEX_FILE"] = index.string();
    run_checked(command);
}

std::vector<std::string> GitTree::files() const {
    std::istringstream listed(
        run_checked(git(path_, {"ls-files", "-z", "--cached", "--others", "--exclude-standard"})));
    std::vector<std::string> files;
    for (std::string file; std::getline(listed, file, '\0');)
        files.push_back(file);
    return files;
}

} // namespace schedlab
