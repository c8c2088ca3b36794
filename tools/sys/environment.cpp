// SPDX-License-Identifier: GPL-2.0-or-later
#include "sys/environment.h"

#include <algorithm>
#include <fmt/format.h>
#include <set>
#include <sys/utsname.h>

#include "sys/files.h"
#include "sys/sched_features.h"

namespace schedlab {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

namespace {

std::string line_of(const fs::path &file) {
    std::string text = read_file_or(file);
    while (!text.empty() && (text.back() == '\n' || text.back() == ' '))
        text.pop_back();
    std::ranges::replace(text, '\n', ' ');
    return text;
}

std::vector<fs::path> sorted_entries(const fs::path &dir) {
    std::vector<fs::path> entries;
    std::error_code missing;
    for (const fs::directory_entry &entry : fs::directory_iterator(dir, missing))
        entries.push_back(entry.path());
    std::ranges::sort(entries);
    return entries;
}

// Each file of a directory that `wanted` takes, by name.
template <class Wanted> Json files_of(const fs::path &dir, Wanted wanted) {
    Json found = Json::object();
    for (const fs::path &file : sorted_entries(dir))
        if (const std::string name = file.filename(); wanted(name))
            if (const std::string line = line_of(file); !line.empty())
                found[name] = line;
    return found;
}

Json sysctls(const fs::path &root) {
    constexpr const char *others[] = {"numa_balancing", "timer_migration", "nmi_watchdog", "randomize_va_space",
                                      "core_sched", "watchdog"};
    Json found = files_of(root / "proc/sys/kernel", [&](const std::string &name) {
        return name.starts_with("sched_") || std::ranges::find(others, name) != std::end(others);
    });
    // Since 5.13 the scheduler's tunables are in debugfs.
    found.update(files_of(root / "sys/kernel/debug/sched", [](const std::string &name) {
        return name.ends_with("_ns") || name.ends_with("_ms") || name == "nr_migrate" || name == "tunable_scaling" ||
               name == "preempt";
    }));
    return found;
}

// One value per file name over all cpufreq policies; several are joined.
Json policies(const fs::path &root, const char *file) {
    std::set<std::string> values;
    for (const fs::path &policy : sorted_entries(root / "sys/devices/system/cpu/cpufreq"))
        if (const std::string line = line_of(policy / file); !line.empty())
            values.insert(line);
    return values.empty() ? Json() : Json(fmt::format("{}", fmt::join(values, ", ")));
}

Json features(const fs::path &root) {
    const fs::path file = root / sched_features_file.relative_path();
    if (read_file_or(file).empty())
        return {};
    return read_sched_features(file);
}

} // namespace

Json read_environment(const fs::path &root) {
    utsname kernel{};
    ::uname(&kernel);
    Json environment = {{"release", kernel.release}, {"version", kernel.version}};
    const auto put = [&](const char *name, const Json &value) {
        if (!value.empty() && value != "")
            environment[name] = value;
    };
    const fs::path cpus = root / "sys/devices/system/cpu";
    put("command_line", line_of(root / "proc/cmdline"));
    put("sysctls", sysctls(root));
    put("features", features(root));
    put("mitigations", files_of(cpus / "vulnerabilities", [](const std::string &) { return true; }));
    put("governors", policies(root, "scaling_governor"));
    put("lowest_khz", policies(root, "scaling_min_freq"));
    put("highest_khz", policies(root, "scaling_max_freq"));
    put("no_turbo", line_of(cpus / "intel_pstate/no_turbo"));
    put("boost", line_of(cpus / "cpufreq/boost"));
    put("smt", line_of(cpus / "smt/control"));
    put("huge_pages", line_of(root / "sys/kernel/mm/transparent_hugepage/enabled"));
    put("firmware", line_of(root / "sys/class/dmi/id/bios_version"));
    return environment;
}

} // namespace schedlab
