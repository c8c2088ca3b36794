// SPDX-License-Identifier: GPL-2.0-or-later
#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <mutex>

#include "core/error.h"
#include "emulator/build.h"
#include "kernel/cache.h"
#include "sys/hash.h"

namespace schedlab {

namespace fs = std::filesystem;

namespace {

struct Found {
    Emulator emulator;
    std::string sha256;  // of the program
    std::string patches; // id of those it was built from
    std::int64_t built = 0;
};

std::optional<Found> read(const fs::path &dir) {
    const auto manifest = read_manifest(dir);
    if (!manifest || manifest->value("key", "") != dir.filename().string())
        return std::nullopt;
    return Found{{dir / manifest->value("program", ""), manifest->value("arch", ""), manifest->value("version", ""),
                  manifest->value("key", "")},
                 manifest->value("sha256", ""),
                 manifest->value("patches", ""),
                 manifest->value("built", std::int64_t(0))};
}

// The newest first.
std::vector<Found> all_kept() {
    std::vector<Found> found;
    for (const fs::directory_entry &entry : fs::directory_iterator(cache_dir("emulators")))
        if (auto one = read(entry.path()))
            found.push_back(std::move(*one));
    std::ranges::sort(found, [](const Found &a, const Found &b) {
        return std::tie(a.built, a.emulator.key) > std::tie(b.built, b.emulator.key);
    });
    return found;
}

bool is_whole(const Found &found) {
    return fs::is_regular_file(found.emulator.program) && sha256_file(found.emulator.program) == found.sha256;
}

void count_as_used(const Emulator &emulator) {
    std::error_code read_only; // then it does not grow old either
    fs::last_write_time(emulator.program.parent_path() / "manifest.json", fs::file_time_type::clock::now(), read_only);
}

Emulator look_for(const std::string &arch) {
    const std::string patches = emulator_patches_id(), remedy =
        fmt::format("'schedlab emulator build --arch {}' builds it, in some minutes", arch);
    for (const Found &found : all_kept()) {
        if (found.emulator.arch != arch || found.patches != patches)
            continue;
        if (!is_whole(found))
            throw environment_error(fmt::format("modelled time: the emulator {} is not what was built",
                                                found.emulator.program.string()), remedy);
        count_as_used(found.emulator);
        return found.emulator;
    }
    throw environment_error(fmt::format("modelled time needs schedlab's own emulator of {}, which is not built", arch),
                            remedy);
}

} // namespace

std::optional<Emulator> kept_emulator(const std::string &key) {
    const auto found = read(cache_dir("emulators") / key);
    if (!found || !is_whole(*found))
        return std::nullopt;
    count_as_used(found->emulator);
    return found->emulator;
}

std::vector<KeptEmulator> list_emulators() {
    const std::string patches = emulator_patches_id();
    std::vector<KeptEmulator> kept;
    for (Found &found : all_kept())
        kept.push_back({std::move(found.emulator), found.patches == patches});
    return kept;
}

Emulator require_emulator(const std::string &arch) {
    static std::mutex mutex;
    static std::map<std::string, Emulator> known; // verified once in a run
    const std::lock_guard lock(mutex);
    if (const auto at = known.find(arch); at != known.end())
        return at->second;
    return known[arch] = look_for(arch);
}

} // namespace schedlab
