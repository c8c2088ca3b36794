// SPDX-License-Identifier: GPL-2.0-or-later
#include "kernel/work_tree.h"

#include <chrono>
#include <fmt/format.h>
#include <set>
#include <sstream>
#include <sys/stat.h>

#include "core/error.h"
#include "kernel/build_log.h"
#include "kernel/cache.h"
#include "kernel/config.h"

namespace schedlab {

namespace fs = std::filesystem;

namespace {

// The objects of a kernel with debug information take 0.6 GiB, linking another 0.3 for a while.
constexpr std::uint64_t build_bytes = 1'200'000'000;
// Steps of a first build (6.12, arm64), until the cache knows better: for the progress shown only.
constexpr int usual_steps = 1440;

using Modes = std::map<std::string, unsigned>;

Modes read_modes(const fs::path &file) {
    Modes modes;
    std::istringstream lines(read_file_or(file));
    unsigned mode = 0;
    std::string path;
    while (lines >> std::oct >> mode && lines.get() == ' ' && std::getline(lines, path))
        modes[path] = mode;
    return modes;
}

void write_modes(const fs::path &file, const Modes &modes) {
    std::string text;
    for (const auto &[path, mode] : modes)
        text += fmt::format("{:o} {}\n", mode, path);
    write_file_atomically(file, text);
}

unsigned mode_of(const fs::path &file) {
    struct stat info {};
    return ::lstat(file.c_str(), &info) == 0 ? info.st_mode & 0777 : 0644;
}

// The state that a file must have; written as a new file, so that a source it was hard-linked to stays as it is.
void set_file(const fs::path &file, const std::optional<std::string> &content, unsigned mode) {
    if (!content) {
        fs::remove(file);
        return;
    }
    const bool same = fs::is_regular_file(file) && mode_of(file) == mode && read_file(file) == *content;
    if (same)
        return;
    fs::create_directories(file.parent_path());
    write_file_atomically(file, *content);
    ::chmod(file.c_str(), mode);
}

// Steps in the log so far, read piece by piece.
class StepCounter {
public:
    explicit StepCounter(const fs::path &log) : log_(log), seen_(fs::exists(log) ? fs::file_size(log) : 0) {}
    int update() {
        const std::string text = read_file_or(log_);
        const auto end = text.rfind('\n'); // the last line may be half written
        if (end != text.npos && end + 1 > seen_) {
            steps_ += count_steps(std::string_view(text).substr(seen_, end + 1 - seen_));
            seen_ = end + 1;
        }
        return steps_;
    }

private:
    fs::path log_;
    std::size_t seen_;
    int steps_ = 0;
};

int expected_steps(const fs::path &file) {
    return std::atoi(read_file_or(file, std::to_string(usual_steps)).c_str());
}

// Runs make and returns the steps it took. `expected` of them are foreseen; 0: make does not know beforehand what a
// change asks for.
int compile(const Kbuild &kbuild, const std::string &phase, const Progress &progress, int expected) {
    StepCounter steps(kbuild.log);
    Child make(kbuild.command({kbuild.arch->target}));
    std::optional<int> status;
    do
        progress(phase, expected > 0 ? std::min(0.99, double(steps.update()) / expected) : -1);
    while (!(status = make.wait_for(std::chrono::milliseconds(500))));
    if (*status != 0)
        throw build_failure(read_file(kbuild.log), phase, kbuild.log);
    return steps.update();
}

} // namespace

WorkTree::WorkTree(const std::string &name, const Progress &progress)
    : dir_(cache_dir("work") / name),
      lock_(dir_.string() + ".lock", [&] { progress("waiting for another build in " + dir_.string(), -1); }) {
    fs::create_directories(dir_);
}

void WorkTree::set(const Source &source, const std::map<std::string, FileChange> &changes) {
    Modes touched = read_modes(dir_ / "touched");
    source.materialize(src());
    // First the names, then the files: at any moment every changed file is named.
    Modes wanted;
    for (const auto &[path, change] : changes) {
        const auto known = touched.find(path);
        wanted[path] = known != touched.end() ? known->second : mode_of(src() / path);
    }
    touched.insert(wanted.begin(), wanted.end());
    write_modes(dir_ / "touched", touched);
    for (const auto &[path, mode] : touched) {
        const auto change = changes.find(path);
        if (change == changes.end())
            set_file(src() / path, source.read(path), mode);
        else
            set_file(src() / path, change->second.content, change->second.mode.value_or(mode));
    }
    write_modes(dir_ / "touched", wanted);
}

Kbuild WorkTree::build(const KernelArch &arch, const std::map<std::string, std::string> &wanted,
                       const std::string &phase, const Progress &progress) {
    const Kbuild kbuild{.arch = &arch,
                        .source = src(),
                        .out = dir_ / "out",
                        .ccache = find_program("ccache") ? cache_dir("ccache") : fs::path(),
                        .log = dir_ / "build.log",
                        .lock = lock_.fd()};
    const fs::path building = dir_ / "building";
    if (fs::exists(building)) {
        // make was killed: an object may be half written and newer than its source. ccache has the good ones.
        progress("removing what a killed build left", -1);
        fs::remove_all(kbuild.out);
    }
    require_space("building a kernel", build_bytes);
    const bool whole = fs::create_directories(kbuild.out);
    fs::remove(kbuild.log);
    write_file_atomically(building, "");
    try {
        progress("configuring", -1);
        configure(kbuild, wanted);
        const int steps = compile(kbuild, phase, progress, whole ? expected_steps(dir_ / "steps") : 0);
        if (whole)
            write_file_atomically(dir_ / "steps", std::to_string(steps));
    } catch (const Error &e) {
        if (e.code() != Exit::interrupted)
            fs::remove(building); // make came to an end of its own: it has removed what it did not finish
        throw;
    }
    fs::remove(building);
    return kbuild;
}

} // namespace schedlab
