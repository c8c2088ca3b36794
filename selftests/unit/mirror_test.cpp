// SPDX-License-Identifier: GPL-2.0-or-later
// A directory followed by a copy: only what changed is copied, and what a build left is not.
#include "kernel/mirror.h"

#include <sys/stat.h>

#include "sys/files.h"
#include "thrown.h"

using namespace schedlab;
namespace fs = std::filesystem;

namespace {

struct Trees {
    TempDir dir{"mirror-test"};
    fs::path from = dir.path() / "from", to = dir.path() / "to", index = dir.path() / "index";

    Trees() { fs::create_directories(from / "kernel/sched"); }
    void write(const std::string &path, const std::string &content) { write_file_atomically(from / path, content); }
    void follow() { mirror(from, list_tree(from), to, index); }
    ino_t inode(const std::string &path) const {
        struct stat info {};
        REQUIRE(::lstat((to / path).c_str(), &info) == 0);
        return info.st_ino;
    }
};

} // namespace

TEST_CASE("mirror: copies, follows changes, and leaves the rest alone") {
    Trees t;
    t.write("Makefile", "VERSION = 6\n");
    t.write("kernel/sched/fair.c", "fair");
    fs::create_symlink("Makefile", t.from / "link");
    t.follow();
    CHECK(read_file(t.to / "kernel/sched/fair.c") == "fair");
    CHECK(fs::read_symlink(t.to / "link") == "Makefile");

    const ino_t unchanged = t.inode("Makefile"), changed = t.inode("kernel/sched/fair.c");
    t.write("kernel/sched/fair.c", "faster");
    t.write("kernel/sched/new.c", "new");
    fs::remove(t.from / "link");
    t.follow();
    CHECK(t.inode("Makefile") == unchanged);
    CHECK(t.inode("kernel/sched/fair.c") != changed);
    CHECK(read_file(t.to / "kernel/sched/fair.c") == "faster");
    CHECK(fs::exists(t.to / "kernel/sched/new.c"));
    CHECK_FALSE(fs::is_symlink(t.to / "link"));
}

TEST_CASE("mirror: an executable stays one") {
    Trees t;
    t.write("run.sh", "#!/bin/sh\n");
    ::chmod((t.from / "run.sh").c_str(), 0755);
    t.follow();
    struct stat info {};
    REQUIRE(::stat((t.to / "run.sh").c_str(), &info) == 0);
    CHECK((info.st_mode & 0777) == 0755);
}

TEST_CASE("mirror: what a build in the tree left is not source") {
    Trees t;
    for (const char *path : {".config", "kernel/fork.o", "kernel/.fork.o.cmd", "vmlinux", "Module.symvers",
                             "kernel/fork.c", "kernel/Kconfig.hz"})
        t.write(path, "x");
    fs::create_directories(t.from / "include/generated");
    t.write("include/generated/autoconf.h", "x");
    const TreeListing files = list_tree(t.from);
    CHECK(files.size() == 2);
    CHECK(files.contains("kernel/fork.c"));
    CHECK(files.contains("kernel/Kconfig.hz"));
}

TEST_CASE("mirror: the listing is the identity of a tree") {
    Trees t;
    t.write("a.c", "1");
    const std::string before = to_text(list_tree(t.from));
    CHECK(before == to_text(list_tree(t.from)));
    t.write("a.c", "2");
    CHECK(before != to_text(list_tree(t.from)));
}

TEST_CASE("mirror: a first copy that was killed is made anew") {
    Trees t;
    t.write("a.c", "1");
    fs::create_directories(t.to);
    write_file_atomically(t.to / "half.c", "left over");
    t.follow();
    CHECK_FALSE(fs::exists(t.to / "half.c"));
    CHECK(fs::exists(t.to / "a.c"));
}
