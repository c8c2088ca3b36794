// SPDX-License-Identifier: GPL-2.0-or-later
#include "kernel/config.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <regex>
#include <sstream>

#include "core/error.h"
#include "kernel/kconfig_why.h"
#include "sys/files.h"
#include "sys/hash.h"
#include "sys/places.h"

namespace schedlab {

namespace fs = std::filesystem;

namespace {

// Evaluates "arm64 since 6.6 until 6.14": all must hold.
bool condition_holds(const std::string &condition, const std::string &where, const std::string &arch,
                     const KernelVersion &version) {
    const auto current = std::pair(version.major, version.minor);
    const auto fail = [&](const std::string &word) {
        return usage_error(where + ": not a condition: '" + word + "'",
                           "conditions are: arm64, x86_64, since X.Y, until X.Y");
    };
    std::istringstream words(condition);
    bool holds = true;
    for (std::string word; words >> word;) {
        if (word == "arm64" || word == "x86_64") {
            holds &= word == arch;
        } else if (word == "since" || word == "until") {
            std::pair<int, int> limit;
            char dot = 0;
            if (!(words >> limit.first >> dot >> limit.second) || dot != '.')
                throw fail(word);
            holds &= word == "since" ? current >= limit : current <= limit;
        } else {
            throw fail(word);
        }
    }
    return holds;
}

// All that decides the finished .config: what is asked for, the tools that Kconfig probes, and the tree's Kconfig.
std::string configuration_key(const Kbuild &kbuild, const ConfigOptions &wanted) {
    std::map<std::string, std::string> files;
    for (const auto &entry : fs::recursive_directory_iterator(kbuild.source)) {
        const std::string name = entry.path().filename().string();
        if (entry.is_regular_file() && (name.starts_with("Kconfig") || name.ends_with(".config")))
            files[entry.path().lexically_relative(kbuild.source).string()] = sha256_file(entry.path());
    }
    return sha256_hex(nlohmann::ordered_json{wanted, toolchain_id(*kbuild.arch), files}.dump());
}

} // namespace

KernelVersion kernel_version(const std::string &makefile, const std::string &origin) {
    std::map<std::string, std::string> fields;
    static const std::regex field("^(VERSION|PATCHLEVEL|SUBLEVEL|EXTRAVERSION) *= *(\\S*) *$");
    std::istringstream lines(makefile);
    std::smatch m;
    for (std::string line; fields.size() < 4 && std::getline(lines, line);)
        if (std::regex_match(line, m, field))
            fields[m[1]] = m[2];
    const std::regex number("\\d{1,6}");
    for (const char *name : {"VERSION", "PATCHLEVEL", "SUBLEVEL"})
        if (!std::regex_match(fields[name], number))
            throw usage_error("'" + origin + "' is no Linux kernel source: its Makefile has no " + name,
                              "name the top directory of a kernel tree");
    return {std::stoi(fields["VERSION"]), std::stoi(fields["PATCHLEVEL"]),
            fields["VERSION"] + "." + fields["PATCHLEVEL"] + "." + fields["SUBLEVEL"] + fields["EXTRAVERSION"]};
}

ConfigOptions parse_fragment(const std::string &text, const std::string &origin, const std::string &arch,
                             const KernelVersion &version) {
    static const std::regex set("(CONFIG_\\w+)=(.+?)\\s*"), unset("# (CONFIG_\\w+) is not set\\s*");
    ConfigOptions options;
    std::istringstream lines(text);
    bool meant = true;
    int number = 0;
    for (std::string line; std::getline(lines, line);) {
        const std::string where = fmt::format("{}: line {}", origin, ++number);
        std::smatch m;
        if (line.find_first_not_of(" \t\r") == line.npos)
            meant = true;
        else if (line.starts_with("#@"))
            meant &= condition_holds(line.substr(2), where, arch, version);
        else if (std::regex_match(line, m, set) && meant)
            options[m[1]] = m[2];
        else if (std::regex_match(line, m, unset) && meant)
            options[m[1]] = "n";
        else if (!line.starts_with('#') && !std::regex_match(line, set))
            throw usage_error(where + ": not a configuration option: " + line,
                              "options are written CONFIG_NAME=value");
    }
    return options;
}

ConfigOptions wanted_options(const std::vector<fs::path> &files, const std::string &arch,
                             const KernelVersion &version) {
    const fs::path fragment = data_root() / "Kconfig.fragment";
    ConfigOptions wanted = parse_fragment(read_file(fragment), fragment.string(), arch, version);
    for (const fs::path &file : files) {
        if (!fs::exists(file))
            throw usage_error("no configuration file '" + file.string() + "'");
        for (const auto &[option, value] : parse_fragment(read_file(file), file.string(), arch, version))
            wanted[option] = value;
    }
    return wanted;
}

std::string config_text(const ConfigOptions &options) {
    std::string text;
    for (const auto &[option, value] : options)
        text += value == "n" ? "# " + option + " is not set\n" : option + "=" + value + "\n";
    return text;
}

ConfigOptions lost_options(const ConfigOptions &wanted, const std::string &config) {
    // A .config has no conditions, so it reads the same for any architecture and version.
    const ConfigOptions found = parse_fragment(config, ".config", "", {});
    ConfigOptions lost;
    for (const auto &[option, value] : wanted) {
        const auto it = found.find(option);
        if ((it == found.end() ? "n" : it->second) != value)
            lost[option] = value;
    }
    return lost;
}

void configure(const Kbuild &kbuild, const ConfigOptions &wanted) {
    const fs::path config = kbuild.out / ".config", key_file = kbuild.out / "schedlab.config-key";
    const std::string key = configuration_key(kbuild, wanted);
    if (read_file_or(key_file) == key)
        return; // Kconfig's probes of the compiler take longer than compiling fair.c
    fs::remove(key_file);
    kbuild.make({"tinyconfig"});
    write_file_atomically(config, read_file(config) + config_text(wanted));
    kbuild.make({"olddefconfig"});
    const ConfigOptions lost = lost_options(wanted, read_file(config));
    if (!lost.empty()) {
        std::string what = fmt::format("{} option{} did not survive the kernel's configuration:", lost.size(),
                                       lost.size() > 1 ? "s" : "");
        for (const std::string &reason : why_lost(kbuild, lost))
            what += "\n  " + reason;
        throw usage_error(what, "add what is missing with --config FILE, or say for which kernels the option is "
                                "meant (#@ in Kconfig.fragment)");
    }
    write_file_atomically(key_file, key);
}

} // namespace schedlab
