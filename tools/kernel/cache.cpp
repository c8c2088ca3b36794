// SPDX-License-Identifier: GPL-2.0-or-later
#include "kernel/cache.h"

#include <algorithm>
#include <chrono>
#include <fmt/format.h>
#include <set>
#include <sys/stat.h>

#include "core/error.h"
#include "sys/hash.h"
#include "sys/places.h"

namespace schedlab {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

namespace {

std::int64_t now() {
    return std::chrono::duration_cast<std::chrono::seconds>(std::chrono::system_clock::now().time_since_epoch())
        .count();
}

// When a directory was last used is its manifest's (or its own) time.
std::int64_t time_of(const fs::path &path) {
    struct stat info {};
    return ::stat(path.c_str(), &info) == 0 ? info.st_mtim.tv_sec : 0;
}

// Blocks on the disk, counting each inode once over all calls.
std::uint64_t disk_usage(const fs::path &dir, std::set<ino_t> &counted) {
    std::uint64_t bytes = 0;
    for (const auto &entry : fs::recursive_directory_iterator(dir, fs::directory_options::skip_permission_denied)) {
        struct stat info {};
        if (::lstat(entry.path().c_str(), &info) == 0 && (info.st_nlink == 1 || counted.insert(info.st_ino).second))
            bytes += std::uint64_t(info.st_blocks) * 512;
    }
    return bytes;
}

Image image_from(const fs::path &dir, const Json &manifest) {
    return {.image = dir / manifest.at("image").get<std::string>(),
            .config = dir / "config",
            .key = manifest.at("key"),
            .release = manifest.at("release"),
            .title = manifest.at("title")};
}

std::vector<fs::path> directories(const fs::path &dir) {
    std::vector<fs::path> found;
    for (const fs::directory_entry &entry : fs::directory_iterator(dir))
        if (entry.is_directory())
            found.push_back(entry.path());
    std::ranges::sort(found);
    return found;
}

CacheEntry entry_for(CacheEntry::Kind kind, const fs::path &dir) {
    CacheEntry entry;
    entry.kind = kind;
    entry.path = dir;
    entry.title = dir.filename().string();
    const auto manifest = read_manifest(dir);
    entry.last_used = time_of(manifest ? dir / "manifest.json" : dir);
    if (manifest) {
        entry.manifest = *manifest;
        entry.title = manifest->value("title", entry.title);
    } else if (kind != CacheEntry::Kind::work) {
        entry.kind = CacheEntry::Kind::leftover;
    }
    if (dir.filename().string().starts_with("schedlab-"))
        entry.kind = CacheEntry::Kind::leftover;
    return entry;
}

} // namespace

fs::path cache_dir(const char *part) {
    const fs::path dir = cache_root() / part;
    std::error_code err;
    fs::create_directories(dir, err);
    if (err)
        throw environment_error("cannot make " + dir.string() + ": " + err.message());
    return dir;
}

std::string size_text(std::uint64_t bytes) {
    return bytes < 100'000'000 ? fmt::format("{:.1f} MB", double(bytes) / 1e6)
                               : fmt::format("{:.1f} GB", double(bytes) / 1e9);
}

void require_space(const std::string &what, std::uint64_t bytes) {
    const std::uint64_t free = free_bytes(cache_root());
    if (free < bytes)
        throw environment_error(fmt::format("{} needs {} in {}, where {} are free", what, size_text(bytes),
                                            cache_root().string(), size_text(free)),
                                "free some space ('schedlab kernel prune' empties schedlab's cache), or set "
                                "XDG_CACHE_HOME to another disk");
}

std::optional<Json> read_manifest(const fs::path &dir) {
    const Json manifest = Json::parse(read_file_or(dir / "manifest.json"), nullptr, false);
    return manifest.is_object() ? std::optional(manifest) : std::nullopt;
}

void publish(TempDir &made, const Json &manifest, const fs::path &dir) {
    write_file_atomically(made.path() / "manifest.json", manifest.dump(2) + "\n");
    fs::remove_all(dir);
    fs::rename(made.path(), dir);
    made.release();
}

std::optional<Image> find_image(const std::string &key) {
    const fs::path dir = cache_dir("images") / key;
    const auto manifest = read_manifest(dir);
    if (!manifest || manifest->value("key", "") != key)
        return std::nullopt;
    const Image image = image_from(dir, *manifest);
    if (!fs::exists(image.image) || sha256_file(image.image) != manifest->value("sha256", ""))
        return std::nullopt; // damaged: it is built again
    fs::last_write_time(dir / "manifest.json", fs::file_time_type::clock::now());
    return image;
}

Image store_image(const Image &image, const std::vector<std::pair<std::string, fs::path>> &files, Json manifest) {
    TempDir work("image", cache_dir("images"));
    for (const auto &[name, file] : files)
        write_file_atomically(work.path() / name, read_file(file));
    const std::string &main = files.front().first;
    Json all{{"key", image.key},
             {"release", image.release},
             {"title", image.title},
             {"image", main},
             {"sha256", sha256_file(work.path() / main)},
             {"built", now()}};
    all.update(manifest);
    const fs::path dir = cache_dir("images") / image.key;
    publish(work, all, dir);
    return image_from(dir, all);
}

std::vector<CacheEntry> list_cache() {
    std::vector<CacheEntry> entries;
    std::set<std::string> current;
    for (const fs::directory_entry &entry : fs::directory_iterator(cache_dir("sources")))
        if (entry.is_regular_file() && entry.path().extension() != ".lock")
            current.insert(read_file_or(entry.path()));
    for (const auto &[part, kind] :
         {std::pair("images", CacheEntry::Kind::image), std::pair("sources", CacheEntry::Kind::source),
          std::pair("work", CacheEntry::Kind::work), std::pair("states", CacheEntry::Kind::state),
          std::pair("emulators", CacheEntry::Kind::emulator)})
        for (const fs::path &dir : directories(cache_dir(part)))
            entries.push_back(entry_for(kind, dir));
    std::set<ino_t> counted;
    for (CacheEntry &entry : entries) {
        entry.bytes = disk_usage(entry.path, counted);
        entry.superseded =
            entry.kind == CacheEntry::Kind::source && !current.contains(entry.path.filename().string());
    }
    return entries;
}

void remove_entry(const CacheEntry &entry) {
    std::optional<FileLock> lock;
    if (entry.kind == CacheEntry::Kind::source || entry.kind == CacheEntry::Kind::work)
        lock.emplace(entry.path.string() + ".lock");
    // Out of sight in one step, then away.
    const TempDir bin("removed", entry.path.parent_path());
    std::error_code gone; // another prune was first
    fs::rename(entry.path, bin.path() / "entry", gone);
}

} // namespace schedlab
