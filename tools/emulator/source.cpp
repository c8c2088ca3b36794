// SPDX-License-Identifier: GPL-2.0-or-later
#include "emulator/source.h"

#include <fmt/format.h>
#include <sstream>

#include "core/error.h"
#include "kernel/cache.h"
#include "kernel/package.h"
#include "sys/files.h"

namespace schedlab {

namespace fs = std::filesystem;

namespace {

// The release of Debian whose QEMU patches/qemu/10.0 is for, and how its versions begin.
constexpr const char *release = "trixie";
constexpr std::string_view version_prefix = "1:10.0.";
// Package, source tree (Debian takes the firmware's sources out) and some air.
constexpr std::uint64_t source_bytes = 700'000'000;

std::string remedy() { return fmt::format("check the network, and that your mirror carries sources of {}", release); }

std::string newest_version() {
    std::istringstream words(apt_isolated({"--versions", release, "source", "qemu"}, remedy()));
    std::string package, version;
    words >> package >> version;
    if (!version.starts_with(version_prefix))
        throw environment_error(fmt::format("{} has QEMU {}, and the series is for {}*", release, version, version_prefix),
                                "this schedlab is older than that release: get a newer one");
    return version;
}

// "qemu_10.0.13+ds.orig.tar.xz", without Debian's own patches, which are about packaging.
fs::path original_tarball(const fs::path &downloads) {
    for (const fs::directory_entry &file : fs::directory_iterator(downloads))
        if (file.path().filename().string().ends_with(".orig.tar.xz"))
            return file.path();
    throw environment_error("Debian's source package qemu has no orig.tar.xz");
}

void add_source(const std::string &version, const fs::path &dir, const Progress &progress) {
    require_space("the source of QEMU", source_bytes);
    const TempDir downloads("downloads");
    TempDir work("source", cache_dir("sources"));
    progress(fmt::format("downloading the source of QEMU {} from {}", version, release), -1);
    apt_isolated({release, "source", downloads.path().string(), "qemu"}, remedy());
    progress("unpacking QEMU " + version, -1);
    unpack(original_tarball(downloads.path()), work.path() / "tree");
    publish(work, {{"title", "QEMU " + version}, {"version", version}}, dir);
}

} // namespace

Source emulator_source(const Progress &progress) {
    const FileLock lock(cache_dir("sources") / "qemu.lock");
    std::string name = read_file_or(cache_dir("sources") / "qemu");
    if (name.empty() || !read_manifest(cache_dir("sources") / name)) {
        progress("looking for QEMU's source", -1);
        const std::string version = newest_version();
        name = "qemu_" + version.substr(version.find(':') + 1);
        if (const fs::path dir = cache_dir("sources") / name; !read_manifest(dir))
            add_source(version, dir, progress);
        write_file_atomically(cache_dir("sources") / "qemu", name);
    }
    const fs::path dir = cache_dir("sources") / name;
    const std::string version = read_manifest(dir)->at("version");
    Source source = unpacked_source("qemu", version, version, dir / "tree");
    source.work_name = name; // a directory's name with the epoch's colon is none for configure
    return source;
}

} // namespace schedlab
