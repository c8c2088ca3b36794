// SPDX-License-Identifier: GPL-2.0-or-later
// The control protocol, with a thread that plays QEMU.
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <sys/socket.h>
#include <thread>

#include "boot/qmp.h"
#include "thrown.h"

using namespace schedlab;
using schedlab::test::thrown;
using Catch::Matchers::ContainsSubstring;

namespace {

// Greets, answers each command with the next of `answers`, and goes away. Said is what it was asked.
class FakeQemu {
public:
    FakeQemu(const Qmp &qmp, std::vector<std::string> answers)
        : socket_(::dup(qmp.emulators_end())), thread_([this, answers = std::move(answers)] { play(answers); }) {}

    ~FakeQemu() { hang_up(); } // a question that the test does not ask is not waited for

    std::vector<std::string> said() {
        thread_.join();
        return said_;
    }

private:
    void play(const std::vector<std::string> &answers) {
        say(R"({"QMP": {"version": {}, "capabilities": []}})");
        for (const std::string &answer : answers) {
            char line[1000];
            const ssize_t n = ::read(socket_.get(), line, sizeof line);
            if (n <= 0)
                break;
            said_.push_back(nlohmann::json::parse(std::string(line, std::size_t(n))).at("execute"));
            say(answer);
        }
        hang_up();
    }
    void hang_up() { ::shutdown(socket_.get(), SHUT_RDWR); }
    void say(const std::string &line) { ::send(socket_.get(), (line + "\r\n").data(), line.size() + 2, MSG_NOSIGNAL); }

    Fd socket_;
    std::vector<std::string> said_;
    std::jthread thread_;
};

const std::string good = R"({"return": {}})";

} // namespace

TEST_CASE("a state is saved once the migration has completed", "[qmp]") {
    Qmp qmp;
    FakeQemu qemu(qmp, {good, good, good, good, R"({"return": {"status": "active"}})", R"({"return": {"status": "completed"}})"});
    qmp.greet();
    qmp.save("state");
    CHECK(qemu.said() == std::vector<std::string>{"qmp_capabilities", "migrate-set-capabilities", "migrate-set-parameters",
                                                  "migrate", "query-migrate", "query-migrate"});
}

TEST_CASE("QEMU's own words say why a state is not saved", "[qmp]") {
    Qmp qmp;
    SECTION("it refuses") {
        FakeQemu qemu(qmp, {good, good, good, R"({"error": {"class": "GenericError", "desc": "State blocked by non-migratable device"}})"});
        qmp.greet();
        CHECK_THAT(thrown([&] { qmp.save("state"); }).what(), ContainsSubstring("non-migratable"));
    }
    SECTION("it fails") {
        FakeQemu qemu(qmp, {good, good, good, good, R"({"return": {"status": "failed", "error-desc": "No space left on device"}})"});
        qmp.greet();
        CHECK_THAT(thrown([&] { qmp.save("state"); }).what(), ContainsSubstring("No space left"));
    }
}

TEST_CASE("an emulator that ends is no silence", "[qmp]") {
    Qmp qmp;
    FakeQemu qemu(qmp, {good, good});
    qmp.greet();
    CHECK_THAT(thrown([&] { qmp.load("state"); }).what(), ContainsSubstring("gone away"));
}

TEST_CASE("events come between answers, and one of them tells that the machine has stopped", "[qmp]") {
    Qmp qmp;
    FakeQemu qemu(qmp, {good, R"({"event": "WATCHDOG"})" "\n" R"({"event": "STOP"})" "\n" + good, good});
    qmp.greet();
    CHECK_FALSE(qmp.stopped());
    qmp.go_on();
    CHECK(qmp.stopped());
}
