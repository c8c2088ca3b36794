// SPDX-License-Identifier: GPL-2.0-or-later
#include "kernel/toolchain.h"

#include <algorithm>
#include <fmt/format.h>
#include <sys/utsname.h>
#include <thread>

#include "core/error.h"
#include "kernel/build_log.h"
#include "sys/files.h"

namespace schedlab {

namespace fs = std::filesystem;

namespace {

const KernelArch arches[] = {
    {"arm64", "arm64", "aarch64-linux-gnu", "Image"},
    {"x86_64", "x86", "x86_64-linux-gnu", "bzImage"},
};

std::string prefix(const KernelArch &arch) { return arch.name == host_arch() ? "" : arch.triplet + "-"; }

} // namespace

const KernelArch &find_arch(const std::string &name) {
    for (const KernelArch &arch : arches)
        if (arch.name == name)
            return arch;
    throw usage_error("unknown architecture '" + name + "'", "architectures are arm64 and x86_64");
}

std::string host_arch() {
    utsname names{};
    ::uname(&names);
    const std::string machine = names.machine;
    return machine == "aarch64" ? "arm64" : machine;
}

fs::path Kbuild::image() const { return out / "arch" / arch->source_arch / "boot" / arch->target; }

std::string Kbuild::cross_compile() const { return prefix(*arch); }

Command Kbuild::command(const std::vector<std::string> &targets) const {
    Command command;
    const std::string compiler = cross_compile() + "gcc";
    command.argv = {"make", "-C", source.string(), "O=" + out.string(), "ARCH=" + arch->name,
                    fmt::format("-j{}", std::max(1u, std::thread::hardware_concurrency())),
                    "CROSS_COMPILE=" + cross_compile(), "LOCALVERSION=",
                    // Debug information is for BTF, which has types and no places of variables. Same code, sooner.
                    "KCFLAGS=-fno-var-tracking -fno-var-tracking-assignments",
                    // The same input gives the same bytes.
                    "KBUILD_BUILD_TIMESTAMP=2020-01-01", "KBUILD_BUILD_USER=schedlab", "KBUILD_BUILD_HOST=schedlab",
                    "KBUILD_BUILD_VERSION=1"};
    if (!ccache.empty()) {
        command.argv.push_back("CC=ccache " + compiler);
        command.env = {{"CCACHE_DIR", ccache.string()},
                       {"CCACHE_MAXSIZE", "4G"},
                       // A miss costs no preprocessing of its own.
                       {"CCACHE_DEPEND", "1"},
                       // Trees at other paths share their objects.
                       {"CCACHE_BASEDIR", source.parent_path().string()},
                       {"CCACHE_NOHASHDIR", "1"}};
    }
    command.argv.insert(command.argv.end(), targets.begin(), targets.end());
    // A make around us would otherwise hand down its own flags and job server, and the shell its own language.
    for (const char *name : {"MAKEFLAGS", "MFLAGS", "MAKELEVEL", "KBUILD_OUTPUT", "KCONFIG_CONFIG"})
        command.env[name] = "";
    command.env["LC_ALL"] = "C";
    command.log = log;
    if (lock >= 0)
        command.pass_fds.emplace_back(lock, lock);
    return command;
}

void Kbuild::make(const std::vector<std::string> &targets) const {
    if (!run(command(targets)).ok())
        throw build_failure(read_file(log), fmt::format("make {}", fmt::join(targets, " ")), log);
}

void require_tools(const KernelArch &arch) {
    std::vector<std::string> missing;
    for (const std::string &tool :
         {std::string("make"), prefix(arch) + "gcc", prefix(arch) + "ld", std::string("gcc"), std::string("flex"),
          std::string("bison"), std::string("bc"), std::string("pahole")})
        if (!find_program(tool) && std::ranges::find(missing, tool) == missing.end())
            missing.push_back(tool);
    if (!missing.empty())
        throw environment_error(
            fmt::format("cannot build a kernel for {}: {} not installed", arch.name, fmt::join(missing, ", ")),
            "'make setup' installs what is missing");
}

std::string toolchain_id(const KernelArch &arch) {
    std::string id;
    for (const std::string &tool : {prefix(arch) + "gcc", prefix(arch) + "ld", std::string("pahole")}) {
        const std::string version = run_checked({.argv = {tool, "--version"}, .env = {{"LC_ALL", "C"}}});
        id += version.substr(0, version.find('\n')) + "\n";
    }
    return id;
}

} // namespace schedlab
