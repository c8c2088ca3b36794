// SPDX-License-Identifier: GPL-2.0-or-later
#include "boot/qmp.h"

#include <cerrno>
#include <chrono>
#include <poll.h>
#include <sys/socket.h>
#include <thread>

#include "core/error.h"
#include "sys/interrupt.h"

namespace schedlab {

using namespace std::chrono_literals;
using Json = nlohmann::json;

namespace {

constexpr auto patience = 300s; // with an emulator that does not answer
constexpr auto between_questions = 2ms;

} // namespace

Qmp::Qmp() {
    int pair[2];
    if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) != 0)
        throw environment_error("cannot make a pair of sockets: " + errno_text(errno));
    ours_ = Fd(pair[0]);
    theirs_ = Fd(pair[1]);
}

void Qmp::greet() {
    theirs_.reset();
    next();
    command("qmp_capabilities");
}

bool Qmp::stopped() {
    pollfd wait = {ours_.get(), POLLIN, 0};
    while (heard_.find('\n') != heard_.npos || ::poll(&wait, 1, 0) > 0)
        next();
    return stopped_;
}

void Qmp::save(const std::filesystem::path &file) {
    use_mapped_ram();
    command("migrate-set-parameters", {{"max-bandwidth", 0}}); // no limit
    command("migrate", {{"uri", "file:" + file.string()}});
    for (;;) {
        const Json state = command("query-migrate");
        const std::string status = state.value("status", "");
        if (status == "completed")
            return;
        if (status == "failed" || status == "cancelled")
            throw run_error(state.value("error-desc", "the migration " + status));
        std::this_thread::sleep_for(between_questions);
    }
}

void Qmp::load(const std::filesystem::path &file) {
    use_mapped_ram();
    // No announcements to a network: for half a second of the host's time they would wake QEMU's main thread, which moves
    // the clock to the next deadline if it finds all CPUs idle, before the last one's instructions are counted.
    command("migrate-set-parameters", {{"announce-rounds", 0}});
    command("migrate-incoming", {{"uri", "file:" + file.string()}});
    while (command("query-status").at("status") == "inmigrate")
        std::this_thread::sleep_for(between_questions);
}

// Each page has its place in the file, and pages of zeros are holes in it, which loading does not touch.
void Qmp::use_mapped_ram() {
    command("migrate-set-capabilities", {{"capabilities", {{{"capability", "mapped-ram"}, {"state", true}}}}});
}

void Qmp::go_on() { command("cont"); }

Json Qmp::command(const std::string &name, const Json &arguments) {
    const std::string line = Json{{"execute", name}, {"arguments", arguments}}.dump() + "\n";
    if (::send(ours_.get(), line.data(), line.size(), MSG_NOSIGNAL) != ssize_t(line.size()))
        throw run_error(errno == EPIPE ? "QEMU has gone away" : "QEMU does not listen: " + errno_text(errno));
    for (;;) {
        const Json answer = next();
        if (answer.contains("error"))
            throw run_error(answer.at("error").value("desc", "QEMU refuses " + name));
        if (answer.contains("return"))
            return answer.at("return");
    }
}

Json Qmp::next() {
    std::size_t end;
    while ((end = heard_.find('\n')) == heard_.npos) {
        pollfd waits[2] = {{ours_.get(), POLLIN, 0}, {interrupt_fd(), POLLIN, 0}};
        const int ready = ::poll(waits, 2, int(std::chrono::milliseconds(patience).count()));
        throw_if_interrupted();
        char block[4096];
        const ssize_t n = ready > 0 ? ::read(ours_.get(), block, sizeof block) : 0;
        if (n <= 0)
            throw run_error(ready == 0 ? "QEMU does not answer" : "QEMU has gone away");
        heard_.append(block, std::size_t(n));
    }
    const Json message = Json::parse(heard_.substr(0, end));
    heard_.erase(0, end + 1);
    stopped_ |= message.value("event", "") == "STOP";
    return message;
}

} // namespace schedlab
