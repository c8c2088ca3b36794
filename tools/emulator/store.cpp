// SPDX-License-Identifier: GPL-2.0-or-later
#include <algorithm>
#include <fmt/format.h>

#include "core/error.h"
#include "emulator/build.h"
#include "kernel/cache.h"

namespace schedlab {

namespace fs = std::filesystem;

namespace {

struct Found {
    Emulator emulator;
    std::string patches; // id of those it was built from
    std::int64_t built = 0;
};

std::optional<Found> read(const fs::path &dir) {
    const auto manifest = read_manifest(dir);
    if (!manifest || manifest->value("key", "") != dir.filename().string() ||
        !fs::exists(dir / manifest->value("program", "")))
        return std::nullopt;
    return Found{{dir / manifest->value("program", ""), manifest->value("arch", ""), manifest->value("version", ""),
                  manifest->value("key", "")},
                 manifest->value("patches", ""),
                 manifest->value("built", std::int64_t(0))};
}

} // namespace

std::optional<Emulator> kept_emulator(const std::string &key) {
    const auto found = read(cache_dir("emulators") / key);
    return found ? std::optional(found->emulator) : std::nullopt;
}

std::vector<KeptEmulator> list_emulators() {
    std::vector<Found> found;
    for (const fs::directory_entry &entry : fs::directory_iterator(cache_dir("emulators")))
        if (auto one = read(entry.path()))
            found.push_back(std::move(*one));
    std::ranges::sort(found, [](const Found &a, const Found &b) {
        return std::tie(a.built, a.emulator.key) > std::tie(b.built, b.emulator.key);
    });
    const std::string patches = emulator_patches_id();
    std::vector<KeptEmulator> kept;
    for (Found &one : found)
        kept.push_back({std::move(one.emulator), one.patches == patches});
    return kept;
}

std::optional<Emulator> find_emulator(const std::string &arch) {
    for (KeptEmulator &kept : list_emulators())
        if (kept.current && kept.emulator.arch == arch)
            return std::move(kept.emulator);
    return std::nullopt;
}

Emulator require_emulator(const std::string &arch) {
    if (auto found = find_emulator(arch))
        return *found;
    throw environment_error(fmt::format("modelled time needs schedlab's own emulator of {}, which is not built", arch),
                            fmt::format("'schedlab emulator build --arch {}' builds it, in some minutes", arch));
}

} // namespace schedlab
