// SPDX-License-Identifier: GPL-2.0-or-later
// A pipe whose write end the children hold tells, by its end of file, that the last of them is gone.
#include "sys/process.h"

#include <catch2/catch_test_macros.hpp>
#include <fcntl.h>

#include "forked.h"
#include "sys/files.h"
#include "sys/interrupt.h"
#include "thrown.h"

using namespace schedlab;
using namespace std::chrono_literals;
using test::forked;
using test::next_of;
using test::says;
using test::status_of;
using test::thrown;

namespace {

Command shell(const std::string &script) { return {.argv = {"sh", "-c", script}}; }

// A shell script that holds `held` as descriptor 5.
Command holding(const Pipe &held, const std::string &script) {
    return {.argv = {"sh", "-c", script}, .pass_fds = {{held.write.get(), 5}}};
}

} // namespace

TEST_CASE("process: output, errors and status are captured apart", "[process]") {
    const Finished done = run(shell("echo out; echo err >&2; exit 7"));
    CHECK(done.out == "out\n");
    CHECK(done.err == "err\n");
    CHECK(done.status == 7);
    CHECK_FALSE(done.ok());
    CHECK_FALSE(done.timed_out);
    CHECK(run(shell("kill -9 $$")).status == 128 + SIGKILL);
    CHECK(run(shell("true")).ok());
}

TEST_CASE("process: much input and much output do not block each other", "[process]") {
    const std::string much(3'000'000, 'x');
    Command command{.argv = {"cat"}, .input = much};
    CHECK(run(command).out == much);
    ::signal(SIGPIPE, SIG_IGN); // as main() does
    command.argv = {"true"};    // does not listen
    CHECK(run(command).ok());
}

TEST_CASE("process: without input there is an end of file at once", "[process]") {
    CHECK(run({.argv = {"cat"}}).ok());
}

TEST_CASE("process: environment and directory are the child's own", "[process]") {
    ::setenv("SCHEDLAB_TEST_REMOVED", "1", 1);
    const TempDir dir("test");
    Command command = shell("echo $SCHEDLAB_TEST_ADDED,$SCHEDLAB_TEST_REMOVED; pwd -P");
    command.env = {{"SCHEDLAB_TEST_ADDED", "a b"}, {"SCHEDLAB_TEST_REMOVED", ""}};
    command.cwd = dir.path();
    CHECK(run(command).out == "a b,\n" + std::filesystem::canonical(dir.path()).string() + "\n");
    ::unsetenv("SCHEDLAB_TEST_REMOVED");
}

TEST_CASE("process: a log is appended to", "[process]") {
    const TempDir dir("test");
    Command command = shell("echo one; echo two >&2");
    command.log = dir.path() / "log";
    CHECK(run(command).out.empty());
    run(command);
    CHECK(read_file(dir.path() / "log") == "one\ntwo\none\ntwo\n");
}

TEST_CASE("process: what cannot be started says why", "[process]") {
    const Error missing = thrown([] { run({.argv = {"no-such-program-here"}}); });
    CHECK(missing.code() == Exit::environment);
    CHECK(says(missing, "'no-such-program-here' is not installed"));
    CHECK_FALSE(missing.remedy().empty());

    const TempDir dir("test");
    const auto garbage = dir.path() / "garbage";
    write_file_atomically(garbage, std::string("\x7f garbage", 9));
    std::filesystem::permissions(garbage, std::filesystem::perms::owner_all);
    CHECK(says(thrown([&] { run({.argv = {garbage}}); }), "Exec format error"));

    Command nowhere = shell("true");
    nowhere.cwd = dir.path() / "missing";
    CHECK(says(thrown([&] { run(nowhere); }), "missing: No such file or directory"));
    CHECK(says(thrown([] { run_checked(shell("echo first >&2; echo last >&2; echo; exit 3")); }),
               "'sh' failed (status 3): last"));
    CHECK(run_checked(shell("echo fine")) == "fine\n");
}

TEST_CASE("process: descriptors arrive under their numbers, whatever ours are", "[process]") {
    const TempDir dir("test");
    for (const char *name : {"a", "b"})
        write_file_atomically(dir.path() / name, name);
    Fd a(::open((dir.path() / "a").c_str(), O_RDONLY | O_CLOEXEC));
    Fd b(::open((dir.path() / "b").c_str(), O_RDONLY | O_CLOEXEC));
    Command command = shell("cat <&6; cat <&7");
    command.pass_fds = {{a.get(), 6}, {b.get(), 7}};
    CHECK(run(command).out == "ab");
    // Each takes the number the other has here, and those of the pipes that run() opens next.
    for (int low = 3; low < 9; ++low) { // sh knows descriptors of one digit
        INFO(low);
        ::lseek(a.get(), 0, SEEK_SET);
        ::lseek(b.get(), 0, SEEK_SET);
        command = shell("cat <&" + std::to_string(low) + "; cat <&" + std::to_string(low + 1));
        command.pass_fds = {{a.get(), low}, {b.get(), low + 1}};
        CHECK(run(command).out == "ab");
    }
}

TEST_CASE("process: a child gets a descriptor once, and only those that it was given", "[process]") {
    const Pipe given = make_pipe(), kept = make_pipe();
    const auto target = [](const Fd &fd) {
        return std::filesystem::read_symlink("/proc/self/fd/" + std::to_string(fd.get())).string();
    };
    const std::string fds = run(holding(given, "ls -l /proc/$$/fd")).out;
    const auto first = fds.find(target(given.write));
    REQUIRE(first != fds.npos);
    CHECK(fds.find(target(given.write), first + 1) == fds.npos);
    CHECK(fds.find(target(kept.write)) == fds.npos);
}

TEST_CASE("process: after its time the whole group is killed", "[process]") {
    Pipe held = make_pipe();
    Command command = holding(held, "sleep 1000 & wait");
    command.timeout = 300ms;
    const Finished done = run(command);
    CHECK(done.timed_out);
    CHECK_FALSE(done.ok());
    held.write.reset();
    CHECK(next_of(held.read).empty());
}

TEST_CASE("process: what a child leaves behind is killed, and its end not waited for", "[process]") {
    Pipe held = make_pipe();
    CHECK(run(holding(held, "sleep 1000 & echo done")).out == "done\n");
    held.write.reset();
    CHECK(next_of(held.read).empty());
}

TEST_CASE("process: a child goes away with its handle, even one that ignores SIGTERM", "[process]") {
    for (const char *script : {"echo ready >&5; sleep 1000; true",
                               "trap '' TERM; echo ready >&5; sleep 1000; sleep 1000"}) {
        Pipe held = make_pipe();
        {
            Child child(holding(held, script));
            held.write.reset();
            CHECK(next_of(held.read) == "ready\n");
            CHECK_FALSE(child.poll());
        }
        CHECK(next_of(held.read).empty());
    }
}

TEST_CASE("process: waiting with a limit tells a running child from one that ended", "[process]") {
    Pipe gate = make_pipe();
    Child child({.argv = {"sh", "-c", "read line; exit 4"}, .pass_fds = {{gate.read.get(), 0}}});
    CHECK_FALSE(child.wait_for(10ms));
    CHECK_FALSE(child.poll());
    REQUIRE(::write(gate.write.get(), "go\n", 3) == 3);
    CHECK(child.wait() == 4);
    CHECK(child.poll() == 4);
    CHECK(child.wait_for(0ms) == 4);
    Child moved = std::move(child);
    CHECK(moved.poll() == 4);
}

TEST_CASE("process: a child dies when we are killed", "[process]") {
    Pipe held = make_pipe();
    const pid_t us = forked([&] {
        Child child(holding(held, "echo ready >&5; exec sleep 1000"));
        held.write.reset();
        return child.wait();
    });
    held.write.reset();
    CHECK(next_of(held.read) == "ready\n");
    ::kill(us, SIGKILL);
    CHECK(status_of(us) == 128 + SIGKILL);
    CHECK(next_of(held.read).empty());
}

TEST_CASE("process: SIGINT and SIGTERM end waits, and nothing is left behind", "[process]") {
    for (const int signal : {SIGINT, SIGTERM}) {
        Pipe held = make_pipe();
        Pipe path = make_pipe();
        const pid_t us = forked([&] {
            install_interrupt_handlers();
            const TempDir dir("test");
            const std::string name = dir.path();
            if (::write(path.write.get(), name.data(), name.size()) != ssize_t(name.size()))
                return 98;
            return run(holding(held, "sleep 1000 & echo ready >&5; wait")).status;
        });
        held.write.reset();
        CHECK(next_of(held.read) == "ready\n");
        ::kill(us, signal);
        CHECK(status_of(us) == int(Exit::interrupted));
        CHECK(next_of(held.read).empty());
        const std::string dir = next_of(path.read);
        REQUIRE(dir.find("schedlab-test") != dir.npos);
        CHECK_FALSE(std::filesystem::exists(dir));
    }
}

TEST_CASE("process: an ignored SIGCHLD does not make us wait for ever", "[process]") {
    const pid_t us = forked([] {
        ::signal(SIGCHLD, SIG_IGN);
        install_interrupt_handlers();
        return run(shell("exit 5")).status;
    });
    CHECK(status_of(us) == 5);
}

TEST_CASE("process: programs are found in PATH", "[process]") {
    CHECK(find_program("sh"));
    CHECK(find_program("/bin/sh") == "/bin/sh");
    CHECK_FALSE(find_program("no-such-program-here"));
    CHECK_FALSE(find_program("/no/such/program"));
    const TempDir dir("test");
    std::filesystem::create_directory(dir.path() / "prog"); // a directory is no program
    const std::string path = ::getenv("PATH");
    ::setenv("PATH", dir.path().c_str(), 1);
    CHECK_FALSE(find_program("prog"));
    CHECK_FALSE(find_program("sh"));
    ::setenv("PATH", path.c_str(), 1);
}
