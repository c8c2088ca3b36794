// SPDX-License-Identifier: GPL-2.0-or-later
#include "emulator/build.h"

#include <chrono>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <regex>
#include <thread>

#include "core/error.h"
#include "emulator/source.h"
#include "kernel/cache.h"
#include "kernel/patch_files.h"
#include "kernel/work_tree.h"
#include "sys/files.h"
#include "sys/hash.h"
#include "sys/places.h"
#include "sys/process.h"

namespace schedlab {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

namespace {

constexpr const char *series = "patches/qemu/10.0";
constexpr std::uint64_t build_bytes = 1'200'000'000;

struct Target {
    std::string_view arch, program;
};
constexpr Target targets[] = {{"arm64", "qemu-system-aarch64"}, {"x86_64", "qemu-system-x86_64"}};

const Target &find_target(const std::string &arch) {
    for (const Target &target : targets)
        if (target.arch == arch)
            return target;
    throw usage_error("no emulator of '" + arch + "'", "architectures are arm64 and x86_64");
}

// TCG and the devices, and nothing else that QEMU can do. Debian's Python, whatever comes first in PATH, is the one that
// has Debian's meson. Firmware is that of the distribution's QEMU. All targets are configured, in one place, so that what
// they share is compiled once; ninja is asked for one program.
std::vector<std::string> options() {
    return {"--python=/usr/bin/python3",
            "--without-default-features",
            "--enable-tcg",
            "--enable-system",
            "--enable-fdt=system",
            "--disable-docs",
            "--disable-tools",
            "--disable-debug-info",
            "--disable-install-blobs",
            "--firmwarepath=/usr/share/qemu:/usr/share/seabios",
            "--target-list=aarch64-softmmu,x86_64-softmmu"};
}

std::string compiler() { return find_program("ccache") ? "ccache gcc" : "gcc"; }

std::string toolchain() {
    const std::string version = run_checked({.argv = {"gcc", "--version"}, .env = {{"LC_ALL", "C"}}});
    return version.substr(0, version.find('\n'));
}

void require_build_packages() {
    const Finished setup = run({.argv = {(data_root() / "tools/setup/setup").string(), "--missing", "emulator"}});
    if (!setup.ok())
        throw environment_error("cannot tell what building QEMU lacks here: " + setup.err.substr(0, setup.err.find('\n')));
    if (setup.out.empty())
        return;
    std::string missing = std::regex_replace(setup.out, std::regex("\n(?=.)"), ", ");
    missing.erase(missing.find_last_not_of('\n') + 1);
    throw environment_error("building QEMU needs packages that are not installed: " + missing,
                            (data_root() / "tools/setup/setup").string() + " emulator installs them");
}

Command in(const WorkTree &work, std::vector<std::string> argv) {
    return {.argv = std::move(argv),
            .env = {{"CCACHE_DIR", cache_dir("ccache").string()},
                    {"CCACHE_BASEDIR", work.src().parent_path().string()},
                    {"CCACHE_NOHASHDIR", "1"},
                    {"MAKEFLAGS", ""},
                    {"LC_ALL", "C"}},
            .cwd = work.out(),
            .log = work.log(),
            .pass_fds = {{work.lock(), work.lock()}},
            .quiet_nice = true};
}

[[noreturn]] void refuse(const WorkTree &work, const std::string &what) {
    static const std::regex reason("(^|\n)([^\n]*(error:|ERROR:|FAILED:|No space left)[^\n]*)");
    const std::string log = read_file(work.log());
    std::smatch line;
    const std::string why = std::regex_search(log, line, reason) ? ": " + line[2].str() : "";
    throw run_error(what + " failed" + why, "its whole output is in " + work.log().string());
}

void configure(const WorkTree &work, const Progress &progress) {
    const std::string wanted = fmt::format("{}\n{}\n", fmt::join(options(), "\n"), compiler());
    if (read_file_or(work.out() / "schedlab-options") == wanted)
        return; // ninja configures again by itself if a file asks for it
    progress("configuring QEMU", -1);
    fs::remove_all(work.out());
    fs::create_directories(work.out());
    std::vector<std::string> argv = options();
    argv.insert(argv.begin(), (work.src() / "configure").string());
    argv.push_back("--cc=" + compiler());
    if (!run(in(work, argv)).ok())
        refuse(work, "configuring QEMU");
    write_file_atomically(work.out() / "schedlab-options", wanted);
}

// ninja says how far it is: "[123/1900] Compiling ...".
double done_of(const std::string &log) {
    static const std::regex step("\\[(\\d+)/(\\d+)\\]");
    const std::size_t at = log.rfind("\n[");
    std::smatch found;
    const std::string tail = log.substr(at == log.npos ? 0 : at);
    return std::regex_search(tail, found, step) ? std::stod(found[1]) / std::stod(found[2]) : -1;
}

void compile(const WorkTree &work, const Target &target, const std::string &phase, const Progress &progress) {
    Child ninja(in(work, {"ninja", std::string(target.program)}));
    std::optional<int> status;
    do
        progress(phase, done_of(read_file_or(work.log())));
    while (!(status = ninja.wait_for(std::chrono::milliseconds(1000))));
    if (*status != 0)
        refuse(work, phase);
}

std::string patches_id(const std::vector<Patch> &patches) {
    Json all = Json::array();
    for (const Patch &patch : patches)
        for (const FilePatch &file : patch.files) {
            all.push_back({file.old_path.value_or(""), file.new_path.value_or("")});
            for (const Hunk &hunk : file.hunks)
                for (const HunkLine &line : hunk.lines)
                    all.push_back(line.kind + line.text);
        }
    return sha256_hex(all.dump());
}

std::vector<Patch> series_patches() { return load_patches(data_root() / series); }

Emulator keep(const WorkTree &work, const Target &target, Emulator emulator, const std::string &patches) {
    TempDir made("emulator", cache_dir("emulators"));
    fs::copy_file(work.out() / target.program, made.path() / target.program);
    const auto now = std::chrono::system_clock::now().time_since_epoch();
    const fs::path dir = cache_dir("emulators") / emulator.key;
    publish(made,
            {{"title", fmt::format("QEMU {} with modelled time", emulator.version)},
             {"key", emulator.key},
             {"arch", target.arch},
             {"version", emulator.version},
             {"program", target.program},
             {"sha256", sha256_file(made.path() / target.program)},
             {"patches", patches},
             {"built", std::chrono::duration_cast<std::chrono::seconds>(now).count()}},
            dir);
    emulator.program = dir / target.program;
    return emulator;
}

} // namespace

std::string emulator_patches_id() { return patches_id(series_patches()); }

Emulator build_emulator(const std::string &arch, const Progress &progress) try {
    const Target &target = find_target(arch);
    require_build_packages();
    const Source source = emulator_source(progress);
    const std::vector<Patch> patches = series_patches();
    const auto changes = apply_patches(patches, source.read);
    Emulator emulator{.program = {}, .arch = arch, .version = source.title, .key = {}};
    const std::string id = patches_id(patches);
    emulator.key = sha256_hex(Json{source.id, id, options(), toolchain(), target.program}.dump());
    if (auto found = kept_emulator(emulator.key))
        return *found;

    WorkTree work(source.work_name, progress);
    if (auto found = kept_emulator(emulator.key))
        return *found; // another schedlab built it while we waited
    progress("preparing the source of QEMU", -1);
    work.set(source, changes);
    require_space("building QEMU", build_bytes);
    fs::remove(work.log());
    configure(work, progress);
    compile(work, target, fmt::format("building QEMU {} for {}", source.title, arch), progress);
    return keep(work, target, emulator, id);
} catch (const fs::filesystem_error &e) {
    throw environment_error(fmt::format("the cache of emulators: {}: {}", e.path1().string(), e.code().message()),
                            "check the disk's space and permissions");
}

} // namespace schedlab
