// SPDX-License-Identifier: GPL-2.0-or-later
// A source tree that is patched and built, again and again, in the cache:
//
//   work/NAME.lock   held while it is used, also by what make starts, should schedlab be killed
//   work/NAME/src    the source, patched
//   work/NAME/out    the build; make builds again only what a change of files asks for
//   work/NAME/touched  files that patches changed, with their first mode: what may differ from the source
//   work/NAME/building there while make runs: after a kill, objects cannot be trusted
#pragma once

#include <filesystem>
#include <map>
#include <string>

#include "core/series.h"
#include "kernel/source.h"
#include "kernel/toolchain.h"
#include "sys/files.h"

namespace schedlab {

class WorkTree {
public:
    // Waits for another schedlab that uses it; `progress` says so.
    WorkTree(const std::string &name, const Progress &progress);

    // Makes src hold `source` with `changes`, touching only files that differ.
    void set(const Source &source, const std::map<std::string, FileChange> &changes);
    // Builds `arch`'s image with the `wanted` options. Throws as configure() and build_failure() do.
    Kbuild build(const KernelArch &arch, const std::map<std::string, std::string> &wanted, const std::string &phase,
                 const Progress &progress);

    std::filesystem::path src() const { return dir_ / "src"; }
    std::filesystem::path out() const { return dir_ / "out"; }
    std::filesystem::path log() const { return dir_ / "build.log"; }
    int lock() const { return lock_.fd(); }

private:
    std::filesystem::path dir_;
    FileLock lock_;
};

} // namespace schedlab
