// SPDX-License-Identifier: GPL-2.0-or-later
#include "sys/files.h"

#include <array>
#include <cerrno>
#include <cstdlib>
#include <fcntl.h>
#include <poll.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <vector>

#include "core/error.h"
#include "sys/interrupt.h"

namespace schedlab {

namespace fs = std::filesystem;

namespace {

// True if all was written; errno tells otherwise.
bool write_all(int fd, std::string_view content) {
    while (!content.empty()) {
        const ssize_t n = ::write(fd, content.data(), content.size());
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return false;
        content.remove_prefix(std::size_t(n));
    }
    return true;
}

bool read_all(int fd, std::string &content) {
    std::array<char, 16384> block;
    for (;;) {
        const ssize_t n = ::read(fd, block.data(), block.size());
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return n == 0;
        content.append(block.data(), std::size_t(n));
    }
}

} // namespace

Error file_error(const std::string &what, const fs::path &path, int err) {
    return environment_error("cannot " + what + " " + path.string() + ": " + errno_text(err),
                             err == ENOSPC || err == EDQUOT
                                 ? "free some space ('schedlab kernel prune' empties schedlab's cache) and run it again"
                                 : "");
}

std::string read_file(const fs::path &path) {
    const Fd fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
    std::string content;
    if (!fd || !read_all(fd.get(), content))
        throw file_error("read", path, errno);
    return content;
}

std::string read_file_or(const fs::path &path, std::string_view fallback) {
    const Fd fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
    std::string content;
    return fd && read_all(fd.get(), content) ? content : std::string(fallback);
}

void write_file_atomically(const fs::path &path, std::string_view content) {
    struct stat old = {};
    const bool exists = ::stat(path.c_str(), &old) == 0;
    if (exists && !S_ISREG(old.st_mode) && !S_ISDIR(old.st_mode)) { // a pipe or a device is written to, never replaced
        const Fd fd(::open(path.c_str(), O_WRONLY | O_CLOEXEC));
        if (!fd || !write_all(fd.get(), content))
            throw file_error("write", path, errno);
        return;
    }
    std::error_code none;
    const fs::path target = exists ? fs::canonical(path, none) : path; // a link stays one
    std::string name = target.string() + ".XXXXXX";
    const Fd fd(::mkostemp(name.data(), O_CLOEXEC));
    if (!fd)
        throw file_error("write", path, errno);
    ::fchmod(fd.get(), exists ? old.st_mode & 07777 : 0644);
    if (!write_all(fd.get(), content) || ::fsync(fd.get()) != 0 || ::rename(name.c_str(), target.c_str()) != 0) {
        const int err = errno;
        ::unlink(name.c_str());
        throw file_error("write", path, err);
    }
}

void write_setting(const fs::path &path, std::string_view value) {
    const Fd fd(::open(path.c_str(), O_WRONLY | O_CLOEXEC));
    if (!fd || ::write(fd.get(), value.data(), value.size()) != ssize_t(value.size()))
        throw environment_error("cannot write '" + std::string(value) + "' to " + path.string() + ": " +
                                errno_text(errno));
}

TempDir::TempDir(const std::string &purpose, const fs::path &parent) {
    const char *tmpdir = std::getenv("TMPDIR");
    const fs::path place = !parent.empty() ? parent : fs::path(tmpdir && *tmpdir ? tmpdir : "/tmp");
    std::string name = (place / ("schedlab-" + purpose + ".XXXXXX")).string();
    if (!::mkdtemp(name.data()))
        throw file_error("make a directory in", place, errno);
    path_ = name;
}

TempDir::TempDir(TempDir &&other) noexcept : path_(other.release()) {}

TempDir::~TempDir() {
    if (path_.empty())
        return;
    std::error_code ignored; // a destructor cannot report; what stays is in a directory named after us
    fs::remove_all(path_, ignored);
}

fs::path TempDir::release() { return std::exchange(path_, fs::path()); }

FileLock::FileLock(const fs::path &path, const std::function<void()> &on_wait)
    : fd_(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644)) {
    if (!fd_)
        throw file_error("open the lock", path, errno);
    bool announced = !on_wait;
    // A blocking flock would sleep through a signal that came just before it.
    while (::flock(fd_.get(), LOCK_EX | LOCK_NB) != 0) {
        if (errno != EWOULDBLOCK && errno != EINTR)
            throw file_error("lock", path, errno);
        throw_if_interrupted();
        if (!std::exchange(announced, true))
            on_wait();
        pollfd wait = {interrupt_fd(), POLLIN, 0};
        ::poll(&wait, 1, 100);
    }
}

std::uint64_t free_bytes(const fs::path &where) {
    struct statvfs info = {};
    if (::statvfs(where.c_str(), &info) != 0)
        throw file_error("ask for the free space of", where, errno);
    return std::uint64_t(info.f_bavail) * info.f_frsize;
}

} // namespace schedlab
