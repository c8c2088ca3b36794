// SPDX-License-Identifier: GPL-2.0-or-later
// Whole files: read, written atomically, temporary directories, locks.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>

#include "core/error.h"
#include "sys/fd.h"

namespace schedlab {

// "cannot WHAT PATH: <what errno says>", an environment error; a full disk has its remedy.
Error file_error(const std::string &what, const std::filesystem::path &path, int err);

// Whole content. Throws an environment error that names the path and errno.
std::string read_file(const std::filesystem::path &path);
// Whole content, or `fallback` if it cannot be read.
std::string read_file_or(const std::filesystem::path &path, std::string_view fallback = {});
// Written to a temporary neighbour, fsynced and renamed; the old content stays on any failure (full disk
// included: an environment error that says so), and an existing file its mode. A link is followed; what is no regular file
// (a pipe, a device) is written to as it is.
void write_file_atomically(const std::filesystem::path &path, std::string_view content);
// One write(2) to an existing file (sysfs, debugfs). Throws an environment error.
void write_setting(const std::filesystem::path &path, std::string_view value);

// A directory that is removed with all it holds when the object goes away; in ${TMPDIR:-/tmp} unless told where.
class TempDir {
public:
    explicit TempDir(const std::string &purpose, const std::filesystem::path &parent = {});
    TempDir(TempDir &&other) noexcept;
    TempDir &operator=(TempDir &&) = delete;
    ~TempDir();
    const std::filesystem::path &path() const { return path_; }
    std::filesystem::path release(); // keep it: it is no longer ours to remove

private:
    std::filesystem::path path_;
};

// An exclusive flock(2) on `path` (created if missing), held until the object goes away. The constructor waits;
// `on_wait` is called first if somebody else holds it.
class FileLock {
public:
    explicit FileLock(const std::filesystem::path &path, const std::function<void()> &on_wait = {});
    int fd() const { return fd_.get(); } // a child that is given it holds the lock too, even after our death

private:
    Fd fd_;
};

std::uint64_t free_bytes(const std::filesystem::path &where); // for an ordinary user
} // namespace schedlab
