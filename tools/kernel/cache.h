// SPDX-License-Identifier: GPL-2.0-or-later
// The content-addressed cache. Under cache_root():
//
//   sources/PACKAGE_VERSION/{tree,manifest.json}   a base's source, never written to again
//   sources/BASE                                   name of the directory that is BASE's source now
//   work/NAME/{src,out,...}, work/NAME.lock        a patched tree and its build directory (kernel/work_tree.h)
//   images/KEY/{Image,config,build.log,manifest.json}
//   states/KEY/{state,console,manifest.json}       a booted machine (boot/saved_state.h)
//   emulators/KEY/{PROGRAM,manifest.json}           QEMU with modelled time (emulator/emulator.h)
//   ccache/
//
// Everything but work/ is made beside its final name and renamed when it is complete, manifest and all, so that a
// reader never meets half of it; the rest of a killed run is a name that begins with "schedlab-", and is pruned.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "kernel/kernel.h"
#include "sys/files.h"

namespace schedlab {

std::filesystem::path cache_dir(const char *part); // "sources", "work", "images", "ccache"; made if missing

std::string size_text(std::uint64_t bytes); // "12.3 MB", "1.2 GB"
// Throws an environment error unless `what` ("the source of 6.12") fits: `bytes` are free in the cache.
void require_space(const std::string &what, std::uint64_t bytes);

// Content of DIR/manifest.json, if the directory is complete.
std::optional<nlohmann::ordered_json> read_manifest(const std::filesystem::path &dir);

// Gives a complete product its name: `made`, with the manifest, becomes `dir`, in place of a damaged one. A lock of the
// caller's keeps others who make the same away.
void publish(TempDir &made, const nlohmann::ordered_json &manifest, const std::filesystem::path &dir);

// The image with this key, if it is there, whole, and what its manifest says. Counts as a use.
std::optional<Image> find_image(const std::string &key);
// Puts `files` (name in the cache ← file) and the manifest under the image's key.
Image store_image(const Image &image, const std::vector<std::pair<std::string, std::filesystem::path>> &files,
                  nlohmann::ordered_json manifest);

// What the cache holds, for `kernel list` and `kernel prune`.
struct CacheEntry {
    enum class Kind { image, source, work, state, emulator, leftover };
    Kind kind = Kind::leftover;
    std::filesystem::path path;
    std::string title;
    nlohmann::ordered_json manifest;
    std::uint64_t bytes = 0;    // on the disk, a file with several names counted in the first
    std::int64_t last_used = 0; // seconds since 1970
    bool superseded = false;    // a source that no base points to any more
};
std::vector<CacheEntry> list_cache();

// Removes an entry, so that no moment shows half of it. Waits for a build that uses it.
void remove_entry(const CacheEntry &entry);

} // namespace schedlab
