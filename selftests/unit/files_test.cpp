// SPDX-License-Identifier: GPL-2.0-or-later
#include "sys/files.h"

#include <catch2/catch_test_macros.hpp>
#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <optional>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include "forked.h"
#include "sys/hash.h"
#include "sys/interrupt.h"
#include "sys/places.h"
#include "thrown.h"

using namespace schedlab;
using test::forked;
using test::next_of;
using test::says;
using test::status_of;
using test::thrown;
namespace fs = std::filesystem;

namespace {

// An environment variable that has another value, or none, for a while.
class Variable {
public:
    Variable(const char *name, const std::optional<std::string> &value) : name_(name) {
        if (const char *old = std::getenv(name))
            old_ = old;
        set(value);
    }
    ~Variable() { set(old_); }

private:
    void set(const std::optional<std::string> &value) {
        if (value)
            ::setenv(name_, value->c_str(), 1);
        else
            ::unsetenv(name_);
    }
    const char *name_;
    std::optional<std::string> old_;
};

// No file may grow beyond `bytes`: stands in for a full disk, which needs root to make.
class FileSizeLimit {
public:
    explicit FileSizeLimit(rlim_t bytes) : handler_(::signal(SIGXFSZ, SIG_IGN)) {
        ::getrlimit(RLIMIT_FSIZE, &old_);
        const rlimit small = {bytes, old_.rlim_max};
        ::setrlimit(RLIMIT_FSIZE, &small);
    }
    ~FileSizeLimit() {
        ::setrlimit(RLIMIT_FSIZE, &old_);
        ::signal(SIGXFSZ, handler_);
    }

private:
    void (*handler_)(int);
    rlimit old_ = {};
};

std::size_t entries(const fs::path &dir) {
    return std::size_t(std::distance(fs::directory_iterator(dir), fs::directory_iterator()));
}

} // namespace

TEST_CASE("files: reading gives the whole content or says why not", "[files]") {
    const TempDir dir("test");
    const std::string content("a\0b\n", 4);
    write_file_atomically(dir.path() / "f", content);
    CHECK(read_file(dir.path() / "f") == content);
    CHECK(read_file_or(dir.path() / "f", "x") == content);
    CHECK(read_file_or(dir.path() / "none", "x") == "x");
    const Error missing = thrown([&] { read_file(dir.path() / "none"); });
    CHECK(missing.code() == Exit::environment);
    CHECK(says(missing, "cannot read " + (dir.path() / "none").string() + ": No such file or directory"));
    CHECK(says(thrown([&] { read_file(dir.path()); }), "Is a directory"));
    CHECK_FALSE(read_file("/proc/self/maps").empty()); // a file whose size is told as 0
}

TEST_CASE("files: an atomic write replaces, and leaves nothing beside it", "[files]") {
    const TempDir dir("test");
    const fs::path path = dir.path() / "f";
    write_file_atomically(path, "old");
    write_file_atomically(path, std::string(100'000, 'n'));
    CHECK(read_file(path) == std::string(100'000, 'n'));
    CHECK(entries(dir.path()) == 1);
}

TEST_CASE("files: a failed atomic write keeps the old content and leaves nothing beside it", "[files]") {
    const TempDir dir("test");
    const fs::path path = dir.path() / "f";
    write_file_atomically(path, "old");
    {
        const FileSizeLimit limit(1000);
        CHECK(says(thrown([&] { write_file_atomically(path, std::string(100'000, 'n')); }), "File too large"));
    }
    CHECK(read_file(path) == "old");
    CHECK(entries(dir.path()) == 1);

    fs::create_directory(dir.path() / "d"); // the rename fails
    CHECK(says(thrown([&] { write_file_atomically(dir.path() / "d", "x"); }), "Is a directory"));
    const fs::path nowhere = dir.path() / "none" / "f";
    CHECK(says(thrown([&] { write_file_atomically(nowhere, "x"); }), "No such file or directory"));
    CHECK(entries(dir.path()) == 2);
}

TEST_CASE("files: a write keeps what its file is: a link, a mode, a pipe", "[files]") {
    const TempDir dir("test");
    const fs::path path = dir.path() / "f", link = dir.path() / "link", fifo = dir.path() / "fifo";
    write_file_atomically(path, "old");
    fs::permissions(path, fs::perms(0640));
    fs::create_symlink("f", link);
    write_file_atomically(link, "new");
    CHECK(fs::is_symlink(link));
    CHECK(read_file(path) == "new");
    CHECK(fs::status(path).permissions() == fs::perms(0640));

    REQUIRE(::mkfifo(fifo.c_str(), 0600) == 0);
    const Fd reader(::open(fifo.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC));
    write_file_atomically(fifo, "through");
    CHECK(fs::is_fifo(fifo));
    char got[16] = {};
    CHECK(::read(reader.get(), got, sizeof got) == 7);
    CHECK(std::string(got) == "through");
    CHECK(entries(dir.path()) == 3);
}

TEST_CASE("files: a setting is written to a file that is there", "[files]") {
    const TempDir dir("test");
    write_file_atomically(dir.path() / "setting", "old value");
    write_setting(dir.path() / "setting", "new");
    CHECK(read_file(dir.path() / "setting") == "new value"); // one write(2) at the start, as sysfs wants it
    const Error missing = thrown([&] { write_setting(dir.path() / "none", "1"); });
    CHECK(says(missing, "cannot write '1' to " + (dir.path() / "none").string()));
    CHECK_FALSE(fs::exists(dir.path() / "none"));
    CHECK(says(thrown([] { write_setting("/dev/full", "1"); }), "No space left on device"));
}

TEST_CASE("files: a temporary directory goes away with all it holds", "[files]") {
    fs::path path;
    {
        TempDir dir("test");
        path = dir.path();
        fs::create_directories(path / "a" / "b");
        write_file_atomically(path / "a" / "f", "x");
        TempDir moved = std::move(dir);
        CHECK(moved.path() == path);
    }
    CHECK_FALSE(fs::exists(path));

    const TempDir outer("test");
    { path = TempDir("kept", outer.path()).release(); }
    CHECK(fs::exists(path));
    CHECK(path.parent_path() == outer.path());
    CHECK(thrown([&] { TempDir("x", outer.path() / "none"); }).code() == Exit::environment);
    const Variable tmpdir("TMPDIR", "/no/such/place");
    CHECK(says(thrown([] { TempDir("x"); }), "/no/such/place: No such file or directory"));
}

TEST_CASE("files: a lock is held until its object goes away", "[files]") {
    const TempDir dir("test");
    const fs::path path = dir.path() / "lock";
    const auto is_free = [&] {
        const Fd fd(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644));
        return ::flock(fd.get(), LOCK_EX | LOCK_NB) == 0;
    };
    {
        const FileLock lock(path);
        CHECK_FALSE(is_free());
    }
    CHECK(is_free());
    CHECK(thrown([&] { FileLock(dir.path() / "none" / "lock"); }).code() == Exit::environment);
}

TEST_CASE("files: a second process waits for the lock, and can be interrupted there", "[files]") {
    const TempDir dir("test");
    for (const bool interrupt : {false, true}) {
        Pipe ready = make_pipe();
        std::optional<FileLock> ours(dir.path() / "lock");
        const pid_t other = forked([&] {
            install_interrupt_handlers();
            ours.reset(); // its copy of our descriptor; the lock is still held through ours
            if (::write(ready.write.get(), "r", 1) != 1)
                return 98;
            const FileLock lock(dir.path() / "lock");
            return fs::exists(dir.path() / "released") ? 0 : 97;
        });
        CHECK(next_of(ready.read) == "r");
        if (interrupt) {
            ::kill(other, SIGTERM);
            CHECK(status_of(other) == int(Exit::interrupted));
        } else {
            write_file_atomically(dir.path() / "released", "");
            ours.reset();
            CHECK(status_of(other) == 0);
        }
    }
}

TEST_CASE("files: the cache is made where XDG says, else in the home directory", "[files]") {
    const TempDir dir("test");
    {
        const Variable xdg("XDG_CACHE_HOME", (dir.path() / "xdg").string());
        CHECK(cache_root() == dir.path() / "xdg" / "schedlab");
        CHECK(fs::is_directory(dir.path() / "xdg" / "schedlab"));
    }
    const Variable xdg("XDG_CACHE_HOME", "");
    {
        const Variable home("HOME", dir.path().string());
        CHECK(cache_root() == dir.path() / ".cache" / "schedlab");
    }
    {
        write_file_atomically(dir.path() / "file", "");
        const Variable home("HOME", (dir.path() / "file").string());
        CHECK(says(thrown([] { cache_root(); }), "Not a directory"));
    }
    const Variable home("HOME", std::nullopt);
    CHECK(thrown([] { cache_root(); }).remedy().find("XDG_CACHE_HOME") != std::string::npos);
}

TEST_CASE("files: the data is where SCHEDLAB_DATA says, if it is there", "[files]") {
    const TempDir dir("test");
    const Variable data("SCHEDLAB_DATA", dir.path().string());
    CHECK(says(thrown([] { data_root(); }), "holds no Kconfig.fragment"));
    write_file_atomically(dir.path() / "Kconfig.fragment", "");
    CHECK(data_root() == dir.path());
}

TEST_CASE("files: free space is told for what exists", "[files]") {
    CHECK_NOTHROW(free_bytes("/"));
    CHECK(says(thrown([] { free_bytes("/no/such/place"); }), "/no/such/place: No such file or directory"));
}

TEST_CASE("hash: SHA-256 of known bytes (FIPS 180-4 examples)", "[hash]") {
    CHECK(sha256_hex("") == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    CHECK(sha256_hex("abc") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    const TempDir dir("test");
    const std::string million(1'000'000, 'a'); // longer than any block it is read in
    write_file_atomically(dir.path() / "f", million);
    CHECK(sha256_file(dir.path() / "f") == "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
    CHECK(thrown([&] { sha256_file(dir.path() / "none"); }).code() == Exit::environment);
}
