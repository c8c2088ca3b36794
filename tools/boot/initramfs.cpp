// SPDX-License-Identifier: GPL-2.0-or-later
#include "boot/initramfs.h"

#include <archive.h>
#include <archive_entry.h>
#include <fmt/format.h>
#include <map>
#include <memory>
#include <optional>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include "core/error.h"
#include "sys/files.h"

namespace schedlab {

namespace fs = std::filesystem;

namespace {

constexpr const char *mount_points[] = {"dev", "proc", "sys", "tmp"};

class Archive {
public:
    explicit Archive(const fs::path &path) : path_(path), archive_(archive_write_new(), archive_write_free) {
        check(archive_write_set_format_cpio_newc(archive_.get()));
        check(archive_write_set_bytes_in_last_block(archive_.get(), 1));
        check(archive_write_open_filename(archive_.get(), path.c_str()));
    }

    void add_directory(const std::string &name) { add(name, AE_IFDIR | 0755, {}); }
    void add_program(const std::string &name, const std::string &content) { add(name, AE_IFREG | 0755, content); }
    void add_device(const std::string &name, dev_t device) { add(name, AE_IFCHR | 0600, {}, device); }
    void close() { check(archive_write_close(archive_.get())); }

private:
    // Owner 0, time 0 and inode numbers in order: nothing of this machine gets in.
    void add(const std::string &name, mode_t mode, const std::string &content, std::optional<dev_t> device = {}) {
        const std::unique_ptr<archive_entry, decltype(&archive_entry_free)> entry(archive_entry_new(),
                                                                                 archive_entry_free);
        archive_entry_set_pathname(entry.get(), name.c_str());
        archive_entry_set_mode(entry.get(), mode);
        archive_entry_set_ino64(entry.get(), ++inode_);
        archive_entry_set_nlink(entry.get(), 1);
        archive_entry_set_mtime(entry.get(), 0, 0);
        archive_entry_set_size(entry.get(), la_int64_t(content.size()));
        if (device)
            archive_entry_set_rdev(entry.get(), *device);
        check(archive_write_header(archive_.get(), entry.get()));
        if (archive_write_data(archive_.get(), content.data(), content.size()) != la_ssize_t(content.size()))
            check(ARCHIVE_FATAL);
    }

    void check(int result) {
        if (result < ARCHIVE_WARN)
            throw file_error("write", path_, archive_errno(archive_.get()));
    }

    fs::path path_;
    std::unique_ptr<archive, decltype(&archive_write_free)> archive_;
    la_int64_t inode_ = 0;
};

} // namespace

void write_initramfs(const fs::path &archive, std::span<const GuestFile> files) {
    // Sorted, so that a directory comes before what it holds. A directory has no source.
    std::map<std::string, std::optional<fs::path>> entries;
    for (const char *name : mount_points)
        entries[name];
    for (const GuestFile &file : files) {
        const fs::path target = fs::path(file.target).relative_path();
        for (fs::path parent = target.parent_path(); !parent.empty(); parent = parent.parent_path())
            entries[parent.string()];
        entries[target.string()] = file.source;
    }
    Archive out(archive);
    for (const auto &[name, source] : entries)
        if (source)
            out.add_program(name, read_file(*source));
        else
            out.add_directory(name);
    out.add_device("dev/console", makedev(5, 1)); // init's standard streams, before /dev is mounted
    out.close();
}

} // namespace schedlab
