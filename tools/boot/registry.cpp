// SPDX-License-Identifier: GPL-2.0-or-later
// The machine models there are, and the guest programs beside this one.
#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "boot/boot.h"
#include "core/error.h"
#include "core/nearest.h"
#include "sys/files.h"
#include "sys/places.h"

namespace schedlab {

namespace fs = std::filesystem;

namespace {

Machine read_machine(const fs::path &file) {
    return parse_machine(read_file(file), file.stem().string(), file.string());
}

} // namespace

std::vector<Machine> all_machines() {
    std::vector<fs::path> files;
    for (const fs::directory_entry &entry : fs::directory_iterator(data_root() / "tools/machines"))
        if (entry.path().extension() == ".conf")
            files.push_back(entry.path());
    std::sort(files.begin(), files.end());
    std::vector<Machine> machines;
    for (const fs::path &file : files)
        machines.push_back(read_machine(file));
    return machines;
}

Machine find_machine(const std::string &name_or_path) {
    if (name_or_path.find('/') != std::string::npos || name_or_path.ends_with(".conf")) {
        if (!fs::exists(name_or_path))
            throw usage_error(fmt::format("no machine model in '{}': {}", name_or_path, errno_text(ENOENT)));
        return read_machine(name_or_path);
    }
    std::vector<std::string> names;
    for (Machine &machine : all_machines()) {
        if (machine.name == name_or_path)
            return std::move(machine);
        names.push_back(machine.name);
    }
    const std::string guess = nearest(name_or_path, names);
    throw usage_error(fmt::format("unknown machine '{}'", name_or_path),
                      fmt::format("{}machines: {}", guess.empty() ? "" : fmt::format("did you mean '{}'? ", guess),
                                  fmt::join(names, ", ")));
}

fs::path guest_program(const std::string &arch) {
    const fs::path here = fs::read_symlink("/proc/self/exe").parent_path();
    const fs::path inside = fs::path("guest") / arch / "schedlab-guest";
    for (const fs::path &candidate : {here / inside, here.parent_path() / "lib/schedlab" / inside})
        if (fs::exists(candidate))
            return candidate;
    throw environment_error(fmt::format("the guest program for {} is not there: {}", arch, (here / inside).string()),
                            "'make guest' builds it");
}

} // namespace schedlab
