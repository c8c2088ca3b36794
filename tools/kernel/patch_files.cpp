// SPDX-License-Identifier: GPL-2.0-or-later
#include "kernel/patch_files.h"

#include "core/error.h"
#include "sys/files.h"
#include "sys/places.h"

namespace schedlab {

namespace fs = std::filesystem;

std::vector<Patch> load_patches(const fs::path &path) {
    if (!fs::exists(path))
        throw usage_error("no patches at '" + path.string() + "'");
    if (!fs::is_directory(path))
        return parse_patches(read_file(path), path.filename().string());
    const fs::path list = path / "series";
    if (!fs::exists(list))
        throw usage_error("the directory '" + path.string() + "' has no series file",
                          "write the patches' names into " + list.string() +
                              ", in order, or name the files themselves");
    std::vector<Patch> patches;
    for (const SeriesEntry &entry : parse_series(read_file(list), list.string())) {
        if (!fs::is_regular_file(path / entry.file))
            throw usage_error(list.string() + " names '" + entry.file + "', which is not there");
        for (Patch &patch : parse_patches(read_file(path / entry.file), entry.file, entry.strip))
            patches.push_back(std::move(patch));
    }
    return patches;
}

std::vector<Patch> patches_of(const KernelSpec &spec) {
    std::vector<fs::path> paths = spec.patches;
    if (spec.with_series) {
        paths.insert(paths.begin(), data_root() / "patches" / spec.base);
        if (!fs::exists(paths.front() / "series"))
            throw usage_error("the project has no series for base " + spec.base,
                              "build the base alone, or another base");
    }
    std::vector<Patch> all;
    for (const fs::path &path : paths)
        for (Patch &patch : load_patches(path))
            all.push_back(std::move(patch));
    return all;
}

} // namespace schedlab
