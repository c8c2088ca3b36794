// SPDX-License-Identifier: GPL-2.0-or-later
#include "sys/sched_features.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <ranges>
#include <sstream>

#include "core/error.h"
#include "sys/files.h"

namespace schedlab {

namespace fs = std::filesystem;

std::map<std::string, bool> read_sched_features(const fs::path &file) {
    if (!fs::exists(file))
        throw environment_error(fmt::format("this kernel has no scheduler feature file ({})", file.string()),
                                "it needs root, debugfs mounted, CONFIG_DEBUG_FS and CONFIG_SCHED_DEBUG");
    std::map<std::string, bool> features;
    std::istringstream words(read_file(file));
    for (std::string word; words >> word;) {
        const bool off = word.starts_with("NO_");
        features[off ? word.substr(3) : word] = !off;
    }
    return features;
}

void switch_sched_features(const std::map<std::string, bool> &wanted, const fs::path &file) {
    if (wanted.empty())
        return;
    const auto there = read_sched_features(file);
    for (const auto &[name, on] : wanted)
        if (!there.contains(name))
            throw environment_error(fmt::format("this kernel has no scheduler feature '{}'", name),
                                    fmt::format("it has {}", fmt::join(there | std::views::keys, " ")));
    for (const auto &[name, on] : wanted)
        write_setting(file, on ? name : "NO_" + name);
    const auto now = read_sched_features(file);
    for (const auto &[name, on] : wanted)
        if (now.at(name) != on)
            throw environment_error(fmt::format("the scheduler feature '{}' stays {}", name, on ? "off" : "on"));
}

} // namespace schedlab
