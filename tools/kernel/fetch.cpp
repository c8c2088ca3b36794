// SPDX-License-Identifier: GPL-2.0-or-later
#include "kernel/fetch.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <sstream>

#include "core/error.h"
#include "kernel/cache.h"
#include "kernel/config.h"
#include "kernel/package.h"
#include "sys/files.h"
#include "sys/places.h"
#include "sys/process.h"

namespace schedlab {

namespace fs = std::filesystem;

namespace {

// A source tree takes 1.5 GiB (7.3: 1.7), its package 0.2.
constexpr std::uint64_t source_bytes = 2'200'000'000;

std::string trimmed(std::string text) {
    text.erase(text.find_last_not_of(" \n") + 1);
    return text;
}

// dpkg's name for this machine's architecture; the source packages are the same for all.
std::string dpkg_architecture() { return trimmed(run_checked({.argv = {"dpkg", "--print-architecture"}})); }

struct Installed {
    fs::path tarball;
    std::string version;
};

std::optional<Installed> installed_package(const Base &base) {
    const fs::path tarball = fs::path("/usr/src") / (base.package + ".tar.xz");
    if (!fs::exists(tarball) || !find_program("dpkg-query"))
        return std::nullopt;
    const Finished query =
        run({.argv = {"dpkg-query", "-W", "-f", "${db:Status-Status} ${Version}", base.package}});
    std::istringstream words(query.out);
    std::string status, version;
    if (!query.ok() || !(words >> status >> version) || status != "installed" ||
        !version.starts_with(base.version_prefix))
        return std::nullopt;
    return Installed{tarball, version};
}

std::string candidate_version(const Base &base) {
    const std::string listing = apt_isolated({"--versions", base.release, dpkg_architecture(), base.package},
                                             "check the network, and that your mirror carries " + base.release);
    std::istringstream words(listing);
    std::string package, version;
    words >> package >> version;
    return version;
}

fs::path download(const Base &base, const fs::path &into) {
    apt_isolated({base.release, dpkg_architecture(), (into / "debs").string(), base.package},
                 "check the network, and that your mirror carries " + base.release);
    for (const fs::directory_entry &entry : fs::directory_iterator(into / "debs"))
        return entry.path();
    throw environment_error("apt downloaded no package " + base.package);
}

std::string directory_name(const Base &base, const std::string &version) { return base.package + "_" + version; }

std::optional<FetchedSource> source_in(const fs::path &dir) {
    const auto manifest = read_manifest(dir);
    if (!manifest)
        return std::nullopt;
    return FetchedSource{dir / "tree", manifest->at("package"), manifest->at("version"), manifest->at("release")};
}

// Unpacks into a neighbour, checks that it is what the base says, and gives it its name.
FetchedSource add_source(const Base &base, const Progress &progress, const std::optional<Installed> &installed) {
    require_space("the source of " + base.name, source_bytes);
    TempDir work("source", cache_dir("sources"));
    fs::path tarball;
    std::string version;
    if (installed) {
        tarball = installed->tarball;
        version = installed->version;
    } else {
        progress(fmt::format("downloading {} from {}", base.package, base.release), -1);
        const fs::path deb = download(base, work.path());
        version = trimmed(run_checked({.argv = {"dpkg-deb", "-f", deb.string(), "Version"}}));
        run_checked({.argv = {"dpkg-deb", "-x", deb.string(), (work.path() / "package").string()}});
        tarball = work.path() / "package/usr/src" / (base.package + ".tar.xz");
    }
    progress(fmt::format("unpacking {} {}", base.package, version), -1);
    const fs::path tree = work.path() / "tree";
    unpack(tarball, tree);
    const KernelVersion kernel = kernel_version(read_file(tree / "Makefile"), base.package);
    if (!kernel.release.starts_with(base.version_prefix))
        throw environment_error(fmt::format("{} {} holds kernel {}, but base {} begins with {}", base.package,
                                            version, kernel.release, base.name, base.version_prefix),
                                "correct " + (data_root() / "patches/bases").string());
    fs::remove_all(work.path() / "debs");
    fs::remove_all(work.path() / "package");
    const fs::path dir = cache_dir("sources") / directory_name(base, version);
    publish(work, {{"package", base.package}, {"version", version}, {"release", kernel.release}}, dir);
    return *source_in(dir);
}

} // namespace

std::optional<FetchedSource> cached_source(const Base &base) {
    const std::string name = read_file_or(cache_dir("sources") / base.name);
    return name.empty() ? std::nullopt : source_in(cache_dir("sources") / name);
}

FetchedSource fetch_source(const Base &base, const Progress &progress) {
    const auto installed = installed_package(base);
    progress(fmt::format("looking for {}", base.package), -1);
    const std::string version = installed ? installed->version : candidate_version(base);
    const fs::path dir = cache_dir("sources") / directory_name(base, version);
    const FileLock lock(dir.string() + ".lock");
    auto source = source_in(dir);
    if (!source)
        source = add_source(base, progress, installed);
    // The archive may have moved on between the question and the download.
    write_file_atomically(cache_dir("sources") / base.name, directory_name(base, source->version));
    return *source;
}

} // namespace schedlab
