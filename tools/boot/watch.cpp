// SPDX-License-Identifier: GPL-2.0-or-later
#include "boot/watch.h"

#include <algorithm>
#include <fmt/format.h>
#include <sstream>

#include "sys/files.h"
#include "sys/process.h"

namespace schedlab {

namespace fs = std::filesystem;
using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;
using Json = nlohmann::ordered_json;

namespace {

std::string last_line(const std::string &text) {
    const std::size_t end = text.find_last_not_of(" \r\n");
    if (end == text.npos)
        return {};
    const std::size_t before = text.rfind('\n', end);
    const std::size_t begin = before == text.npos ? 0 : before + 1;
    return text.substr(begin, end - begin + 1);
}

std::vector<std::string> untruths(const Machine &machine, const Json &hello) {
    try {
        return truth_check(machine, hello.at("topology").get<Topology>(),
                           hello.at("domains").get<std::vector<CpuDomains>>());
    } catch (const std::exception &e) {
        return {fmt::format("the guest's description is unreadable: {}", e.what())};
    }
}

} // namespace

std::string GrowingFile::news() {
    if (!in_.is_open())
        in_.open(path_, std::ios::binary);
    in_.clear(); // the end was met before
    std::ostringstream bytes;
    bytes << in_.rdbuf();
    return bytes.str();
}

Watch::Watch(const BootRequest &request, const BootFiles &files)
    : request_(request), console_(files.console), channel_(files.channel) {}

void Watch::said_before(const Json &hello, const std::vector<std::string> &console) {
    evidence_.said.hello = hello;
    evidence_.console = console;
    check_truth();
}

// A busy host emulates a big machine slowly: one of 128 CPUs has been seen to boot in 30 s and in 170 s. Looking at lines
// takes as long again, and more.
static std::chrono::seconds wall_limit(const BootRequest &request) {
    const std::chrono::seconds usual = 120s + 5s * request.machine->cpus;
    return request.wall_limit > 0s ? request.wall_limit : request.machine->modelled ? 4 * usual : usual;
}

bool Watch::follow(Child &emulator, const std::function<bool()> &reached) {
    evidence_.wall_limit = wall_limit(request_);
    auto deadline = begin_ + evidence_.wall_limit;
    while (!(evidence_.emulator = emulator.wait_for(20ms)) && Clock::now() < deadline && evidence_.truth.empty()) {
        const bool had_ended = ended(), has_reached = reached && reached();
        take_news();
        if (has_reached)
            return true;
        if (ended() && !had_ended)
            deadline = std::min(deadline, Clock::now() + 5s); // it has said all; powering off is all that is left
    }
    emulator.kill_group();
    take_news();
    if (!console_line_.empty())
        take_console_line();
    return false;
}

BootResult Watch::result(const fs::path &log) {
    evidence_.emulator_message = last_line(read_file_or(log));
    const BootOutcome outcome = classify(evidence_);
    BootResult result;
    result.end = outcome.end;
    result.message = fmt::format("{}: {}", request_.machine->name, outcome.message);
    result.remedy = outcome.remedy;
    result.code = outcome.code;
    result.console_at = outcome.console_at;
    result.status = evidence_.said.end_status.value_or(0);
    result.hello = std::move(evidence_.said.hello);
    result.records = std::move(evidence_.said.records);
    result.events = std::move(evidence_.said.events);
    result.ktap = std::move(evidence_.said.ktap);
    result.truth = std::move(evidence_.truth);
    result.console = std::move(evidence_.console);
    result.wall_seconds = std::chrono::duration<double>(Clock::now() - begin_).count();
    return result;
}

bool Watch::ended() const {
    return evidence_.said.end_status || evidence_.said.error || evidence_.said.timeout;
}

void Watch::check_truth() {
    if (request_.check_truth)
        evidence_.truth = untruths(*request_.machine, evidence_.said.hello);
}

void Watch::take_news() {
    for (char c : console_.news()) {
        if (c == '\n')
            take_console_line();
        else if (c != '\r')
            console_line_ += c;
    }
    const bool knew_truth = !evidence_.said.hello.is_null();
    evidence_.said.feed(channel_.news());
    if (!knew_truth && !evidence_.said.hello.is_null())
        check_truth();
}

void Watch::take_console_line() {
    if (request_.on_console)
        request_.on_console(console_line_);
    evidence_.console.push_back(std::move(console_line_));
    console_line_.clear();
}

} // namespace schedlab
