// SPDX-License-Identifier: GPL-2.0-or-later
#include "kernel/base.h"

#include <algorithm>
#include <fmt/format.h>
#include <sstream>

#include "core/error.h"
#include "core/nearest.h"
#include "sys/files.h"
#include "sys/places.h"

namespace schedlab {

namespace fs = std::filesystem;

std::vector<Base> parse_bases(const std::string &text, const std::string &origin) {
    std::vector<Base> bases;
    std::istringstream lines(text);
    std::string line;
    for (int number = 1; std::getline(lines, line); ++number) {
        std::istringstream words(line.substr(0, line.find('#')));
        Base base;
        std::string extra;
        if (!(words >> base.name))
            continue;
        if (!(words >> base.package >> base.release >> base.version_prefix) || words >> extra)
            throw usage_error(
                fmt::format("{}: line {}: not 'name package release version': {}", origin, number, line));
        if (std::ranges::find(bases, base.name, &Base::name) != bases.end())
            throw usage_error(fmt::format("{}: line {}: base {} is there twice", origin, number, base.name));
        bases.push_back(base);
    }
    if (bases.empty())
        throw usage_error(origin + " names no base");
    return bases;
}

std::vector<Base> all_bases() {
    const fs::path file = data_root() / "patches" / "bases";
    return parse_bases(read_file(file), file.string());
}

const Base &find_base(const std::string &name) {
    static const std::vector<Base> bases = all_bases();
    const auto found = std::ranges::find(bases, name, &Base::name);
    if (found != bases.end())
        return *found;
    std::vector<std::string> names;
    for (const Base &base : bases)
        names.push_back(base.name);
    throw usage_error("unknown base '" + name + "'",
                      fmt::format("bases are {}; another kernel is named with --tree DIR", fmt::join(names, ", ")));
}

KernelSpec parse_kernel_spec(const std::string &text, const fs::path &tree, const std::string &arch) {
    KernelSpec spec;
    spec.arch = arch;
    if (!tree.empty()) {
        spec.tree = tree;
        spec.rev = text;
    } else if (fs::is_regular_file(text)) {
        spec.image = text;
    } else if (text.find('/') != std::string::npos) {
        throw usage_error("no kernel image at '" + text + "'",
                          "name a built Image or bzImage, or a base: 6.12, 6.12+series");
    } else {
        constexpr std::string_view series = "+series";
        spec.with_series = text.ends_with(series);
        spec.base = find_base(spec.with_series ? text.substr(0, text.size() - series.size()) : text).name;
    }
    return spec;
}

} // namespace schedlab
