// SPDX-License-Identifier: GPL-2.0-or-later
#include <archive.h>
#include <archive_entry.h>
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <map>

#include "boot/initramfs.h"
#include "core/error.h"
#include "sys/files.h"
#include "thrown.h"

using namespace schedlab;
using test::thrown;
using Catch::Matchers::ContainsSubstring;

namespace {

struct Entry {
    unsigned mode;
    std::string content;
};

// What is in an archive, and in which order.
std::vector<std::pair<std::string, Entry>> read_archive(const std::filesystem::path &path) {
    std::vector<std::pair<std::string, Entry>> entries;
    archive *in = archive_read_new();
    archive_read_support_format_cpio(in);
    REQUIRE(archive_read_open_filename(in, path.c_str(), 4096) == ARCHIVE_OK);
    for (archive_entry *entry; archive_read_next_header(in, &entry) == ARCHIVE_OK;) {
        CHECK(archive_entry_mtime(entry) == 0);
        CHECK(archive_entry_uid(entry) == 0);
        std::string content(std::size_t(archive_entry_size(entry)), '\0');
        CHECK(archive_read_data(in, content.data(), content.size()) == la_ssize_t(content.size()));
        entries.push_back({archive_entry_pathname(entry), {archive_entry_mode(entry), content}});
    }
    archive_read_free(in);
    return entries;
}

} // namespace

TEST_CASE("files come with their directories, mount points and a console", "[initramfs]") {
    const TempDir dir("initramfs-test");
    write_file_atomically(dir.path() / "a", "program a");
    write_file_atomically(dir.path() / "b", "program b");
    write_initramfs(dir.path() / "cpio", std::vector<GuestFile>{{dir.path() / "b", "/init"}, {dir.path() / "a", "/selftests/x/a"}});

    const auto entries = read_archive(dir.path() / "cpio");
    std::map<std::string, Entry> by_name(entries.begin(), entries.end());
    CHECK(by_name.size() == entries.size());
    CHECK(by_name.at("init").content == "program b");
    CHECK(by_name.at("init").mode == (AE_IFREG | 0755));
    CHECK(by_name.at("selftests/x/a").content == "program a");
    CHECK(by_name.at("dev/console").mode == (AE_IFCHR | 0600));
    for (const char *name : {"dev", "proc", "sys", "tmp", "selftests", "selftests/x"})
        CHECK(by_name.at(name).mode == (AE_IFDIR | 0755));
    // The kernel unpacks in order: a directory stands before what it holds.
    const auto position = [&](const std::string &name) {
        return std::find_if(entries.begin(), entries.end(), [&](const auto &e) { return e.first == name; }) - entries.begin();
    };
    CHECK(position("selftests/x") < position("selftests/x/a"));
    CHECK(position("dev") < position("dev/console"));
}

TEST_CASE("the bytes depend on targets and contents alone", "[initramfs]") {
    const TempDir dir("initramfs-test");
    for (const char *where : {"here", "there"}) {
        std::filesystem::create_directory(dir.path() / where);
        write_file_atomically(dir.path() / where / "p", "one program");
        write_file_atomically(dir.path() / where / "q", "another");
    }
    std::filesystem::last_write_time(dir.path() / "here/p", std::filesystem::file_time_type::clock::now() - std::chrono::hours(99));
    const auto in = [&](const char *where, const char *name) { return dir.path() / where / name; };
    write_initramfs(dir.path() / "1", std::vector<GuestFile>{{in("here", "p"), "/init"}, {in("here", "q"), "/bin/q"}});
    write_initramfs(dir.path() / "2", std::vector<GuestFile>{{in("there", "q"), "/bin/q"}, {in("there", "p"), "/init"}});
    write_initramfs(dir.path() / "3", std::vector<GuestFile>{{in("there", "p"), "/bin/q"}, {in("there", "q"), "/init"}});
    CHECK(read_file(dir.path() / "1") == read_file(dir.path() / "2"));
    CHECK(read_file(dir.path() / "1") != read_file(dir.path() / "3"));
}

TEST_CASE("a file that is not there is named", "[initramfs]") {
    const TempDir dir("initramfs-test");
    CHECK_THAT(thrown([&] { write_initramfs(dir.path() / "cpio", std::vector<GuestFile>{{"/nonexistent/p", "/init"}}); }).what(),
               ContainsSubstring("/nonexistent/p"));
    CHECK_THAT(thrown([&] { write_initramfs(dir.path() / "no/cpio", {}); }).what(), ContainsSubstring("no/cpio"));
}
