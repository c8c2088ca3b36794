// SPDX-License-Identifier: GPL-2.0-or-later
// schedlab doctor: what works on this machine, and what to do about the rest.
#include <algorithm>
#include <cstdio>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <sys/utsname.h>
#include <tuple>
#include <unistd.h>

#include "boot/boot.h"
#include "cmd/command_line.h"
#include "core/error.h"
#include "loads/exchange.h"
#include "sys/files.h"
#include "sys/places.h"
#include "sys/process.h"

namespace schedlab {
namespace {

namespace fs = std::filesystem;

// What a finding is needed for. Only the main job, comparisons on arm64 models, decides the exit code.
enum class Need { arm64_models, x86_models, tracing, building, speed };

std::string_view to_string(Need need) {
    switch (need) {
    case Need::arm64_models: return "comparisons on emulated arm64 machines";
    case Need::x86_models: return "comparisons on emulated x86-64 machines";
    case Need::tracing: return "bench and trace on this machine";
    case Need::building: return "building schedlab";
    case Need::speed: return "speed only";
    }
    return {};
}

struct Finding {
    std::string name;
    Need need;
    bool ok;
    std::string detail; // a version, a path, or what is wrong
    std::string remedy; // empty if ok
};

Finding good(std::string name, Need need, std::string detail) {
    return {std::move(name), need, true, std::move(detail), {}};
}
Finding bad(std::string name, Need need, std::string detail, std::string remedy) {
    return {std::move(name), need, false, std::move(detail), std::move(remedy)};
}

std::string first_line(const std::string &text) { return text.substr(0, text.find('\n')); }

// A program in PATH, or where Debian keeps bpftool, with the first line it prints about its version.
Finding program(const std::string &name, Need need, const std::string &package) {
    auto path = find_program(name);
    if (!path)
        path = find_program("/usr/sbin/" + name);
    if (!path)
        return bad(name, need, "not found in PATH", "apt-get install " + package + ", or 'make setup'");
    const Finished said = run({.argv = {*path, "--version"}, .timeout = std::chrono::seconds(5)});
    return good(name, need, said.ok() && !said.out.empty() ? first_line(said.out) : path->string());
}

Finding file(const std::string &name, const fs::path &path, const std::string &remedy) {
    if (::access(path.c_str(), R_OK) == 0)
        return good(name, Need::tracing, path);
    return bad(name, Need::tracing, path.string() + ": " + errno_text(errno), remedy);
}

Finding look_at_io_uring() {
    try {
        make_exchange("io_uring", -1);
        return good("io_uring", Need::tracing, "yes");
    } catch (const Error &e) {
        return bad("io_uring", Need::tracing, e.what(), e.remedy());
    }
}

void look_at_tracing(std::vector<Finding> &found) {
    if (::geteuid() == 0)
        found.push_back(good("root", Need::tracing, "yes"));
    else
        found.push_back(bad("root", Need::tracing, fmt::format("user {}", ::geteuid()),
                            "run bench and trace with sudo; emulated comparisons need no root"));
    found.push_back(file("BTF", "/sys/kernel/btf/vmlinux",
                         "boot a kernel with CONFIG_DEBUG_INFO_BTF=y (distributions' kernels have it)"));
    found.push_back(file("tracefs", "/sys/kernel/tracing/events/sched",
                         "as root: mount -t tracefs nodev /sys/kernel/tracing"));
    found.push_back(file("debugfs", "/sys/kernel/debug/sched",
                         "as root: mount -t debugfs nodev /sys/kernel/debug (CONFIG_SCHED_DEBUG=y)"));
    found.push_back(file("feature file", "/sys/kernel/debug/sched/features",
                         "as for debugfs; without it no scheduler feature can be switched here"));
    found.push_back(look_at_io_uring());
}

void look_at_emulators(std::vector<Finding> &found) {
    for (const auto &[arch, package, need] : {std::tuple{"arm64", "qemu-system-arm", Need::arm64_models},
                                              {"x86_64", "qemu-system-x86", Need::x86_models}}) {
        const std::string name = fmt::format("QEMU for {}", arch);
        const std::string version = qemu_version(arch);
        std::string models;
        for (const Machine &m : all_machines())
            if (m.arch == arch)
                models += (models.empty() ? "" : ", ") + m.name;
        if (version.empty())
            found.push_back(bad(name, need, "not found in PATH; needed for " + models,
                                fmt::format("apt-get install {}, or 'make setup'", package)));
        else if (std::atoi(version.c_str()) < oldest_qemu_major)
            found.push_back(bad(name, need,
                                fmt::format("{} is older than {}; needed for {}", version, oldest_qemu_major,
                                            models),
                                "'make setup' installs it (Debian 12: from backports)"));
        else
            found.push_back(good(name, need, version + ": " + models));
        try {
            found.push_back(good(fmt::format("guest for {}", arch), need, guest_program(arch)));
        } catch (const Error &e) {
            found.push_back(bad(fmt::format("guest for {}", arch), need, e.what(), e.remedy()));
        }
    }
}

Finding look_at_kvm() {
    struct utsname system {};
    ::uname(&system);
    const std::string arch = std::string_view(system.machine) == "aarch64" ? "arm64" : system.machine;
    if (::access("/dev/kvm", R_OK | W_OK) != 0)
        return bad("KVM", Need::speed, "/dev/kvm: " + errno_text(errno),
                   "nothing to do: comparisons are emulated, for the sake of repeatability");
    if (!kvm_boots(arch))
        return bad("KVM", Need::speed, "/dev/kvm opens but does not boot a guest",
                   "nothing to do: comparisons are emulated, for the sake of repeatability");
    return good("KVM", Need::speed, "boots a guest");
}

Finding look_at_disk() {
    // A kernel source is 1.5 GiB unpacked, a build directory 0.6 GiB, and both stay in the cache.
    constexpr double gib = 1 << 30, wanted_gib = 4;
    const fs::path cache = cache_root();
    const double free_gib = double(free_bytes(cache)) / gib;
    std::string detail = fmt::format("{:.1f} GiB free in {}", free_gib, cache.string());
    if (free_gib < wanted_gib)
        return bad("disk", Need::arm64_models, detail,
                   fmt::format("{} GiB are wanted: 'schedlab kernel prune', or XDG_CACHE_HOME on another disk",
                               wanted_gib));
    return good("disk", Need::arm64_models, detail);
}

std::vector<Finding> examine() {
    std::vector<Finding> found;
    look_at_emulators(found);
    for (const char *name : {"make", "gcc", "flex", "bison", "bc", "pahole"})
        found.push_back(program(name, Need::arm64_models, name));
    found.push_back(program("apt-get", Need::arm64_models, "apt"));
#ifdef __aarch64__
    found.push_back(program("x86_64-linux-gnu-gcc", Need::x86_models, "gcc-x86-64-linux-gnu"));
#else
    found.push_back(program("aarch64-linux-gnu-gcc", Need::arm64_models, "gcc-aarch64-linux-gnu"));
#endif
    found.push_back(look_at_disk());
    look_at_tracing(found);
    for (const char *name : {"clang", "bpftool"})
        found.push_back(program(name, Need::building, name));
    found.push_back(program("ccache", Need::speed, "ccache"));
    found.push_back(look_at_kvm());
    return found;
}

bool main_job_works(const std::vector<Finding> &found) {
    return std::ranges::none_of(found, [](const Finding &f) { return f.need == Need::arm64_models && !f.ok; });
}

void print_json(const std::vector<Finding> &found) {
    nlohmann::ordered_json findings = nlohmann::ordered_json::array();
    for (const Finding &f : found)
        findings.push_back({{"name", f.name},
                            {"needed_for", to_string(f.need)},
                            {"ok", f.ok},
                            {"detail", f.detail},
                            {"remedy", f.remedy}});
    const nlohmann::ordered_json all = {
        {"version", SCHEDLAB_VERSION}, {"main_job", main_job_works(found)}, {"findings", findings}};
    fmt::print("{}\n", all.dump(2));
}

void print_text(const std::vector<Finding> &found) {
    fmt::print("schedlab {}\n", SCHEDLAB_VERSION);
    for (Need need : {Need::arm64_models, Need::x86_models, Need::tracing, Need::building, Need::speed}) {
        fmt::print("\n{}\n", to_string(need));
        for (const Finding &f : found) {
            if (f.need != need)
                continue;
            fmt::print("  {:8} {:22} {}\n", f.ok ? "ok" : "missing", f.name, f.detail);
            if (!f.ok)
                fmt::print("  {:31} {}\n", "", f.remedy);
        }
    }
    fmt::print("\n{}\n", main_job_works(found)
                             ? "The main job works here: comparisons on emulated arm64 machines."
                             : "The main job does not work here yet: see 'missing' above.");
}

} // namespace

int cmd_doctor(const Args &args) {
    CLI::App app("Say what works here and what to do about the rest", "schedlab doctor");
    bool json = false;
    app.add_flag("--json", json, "print the findings as JSON");
    if (!parse_command_line(app, args))
        return 0;
    const std::vector<Finding> found = examine();
    json ? print_json(found) : print_text(found);
    return int(main_job_works(found) ? Exit::ok : Exit::environment);
}

} // namespace schedlab
