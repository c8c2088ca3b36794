// SPDX-License-Identifier: GPL-2.0-or-later
#include "boot/boot.h"

#include <algorithm>
#include <fmt/format.h>
#include <fstream>
#include <sstream>

#include "boot/boot_dir.h"
#include "boot/qemu.h"
#include "boot/transcript.h"
#include "sys/files.h"
#include "sys/process.h"

namespace schedlab {

namespace fs = std::filesystem;
using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;
using Json = nlohmann::ordered_json;

namespace {

// A file that another process appends to.
class GrowingFile {
public:
    explicit GrowingFile(fs::path path) : path_(std::move(path)) {}

    std::string news() {
        if (!in_.is_open())
            in_.open(path_, std::ios::binary);
        in_.clear(); // the end was met before
        std::ostringstream bytes;
        bytes << in_.rdbuf();
        return bytes.str();
    }

private:
    fs::path path_;
    std::ifstream in_;
};

std::string last_line(const std::string &text) {
    const std::size_t end = text.find_last_not_of(" \r\n");
    if (end == text.npos)
        return {};
    const std::size_t before = text.rfind('\n', end);
    const std::size_t begin = before == text.npos ? 0 : before + 1;
    return text.substr(begin, end - begin + 1);
}

// Follows a boot: what console and channel say, until the machine is off or has nothing more to say.
class Watch {
public:
    Watch(const BootRequest &request, const BootFiles &files)
        : request_(request), console_(files.console), channel_(files.channel) {}

    BootEvidence evidence;

    void follow(Child &emulator) {
        evidence.wall_limit = request_.wall_limit;
        auto deadline = Clock::now() + request_.wall_limit;
        while (!(evidence.emulator = emulator.wait_for(20ms)) && Clock::now() < deadline && evidence.truth.empty()) {
            const bool had_ended = ended();
            take_news();
            if (ended() && !had_ended)
                deadline = std::min(deadline, Clock::now() + 5s); // it has said all; powering off is all that is left
        }
        emulator.kill_group();
        take_news();
        if (!console_line_.empty())
            take_console_line();
    }

private:
    bool ended() const {
        return evidence.said.end_status || evidence.said.error || evidence.said.timeout;
    }

    void take_news() {
        for (char c : console_.news()) {
            if (c == '\n')
                take_console_line();
            else if (c != '\r')
                console_line_ += c;
        }
        const bool knew_truth = !evidence.said.hello.is_null();
        evidence.said.feed(channel_.news());
        if (request_.check_truth && !knew_truth && !evidence.said.hello.is_null())
            evidence.truth = untruths(evidence.said.hello);
    }

    void take_console_line() {
        if (request_.on_console)
            request_.on_console(console_line_);
        evidence.console.push_back(std::move(console_line_));
        console_line_.clear();
    }

    std::vector<std::string> untruths(const Json &hello) const {
        try {
            return truth_check(*request_.machine, hello.at("topology").get<Topology>(),
                               hello.at("domains").get<std::vector<CpuDomains>>());
        } catch (const std::exception &e) {
            return {fmt::format("the guest's description is unreadable: {}", e.what())};
        }
    }

    const BootRequest &request_;
    GrowingFile console_, channel_;
    std::string console_line_;
};

} // namespace

std::string_view to_string(BootEnd end) {
    switch (end) {
    case BootEnd::done: return "done";
    case BootEnd::guest_error: return "guest error";
    case BootEnd::panic: return "panic";
    case BootEnd::warning: return "warning";
    case BootEnd::hang: return "hang";
    case BootEnd::guest_exit: return "guest exit";
    case BootEnd::truncated: return "truncated";
    case BootEnd::untrue: return "untrue";
    case BootEnd::qemu_failed: return "QEMU failed";
    }
    return "?";
}

std::string BootResult::console_tail(std::size_t lines) const {
    std::string tail;
    for (std::size_t i = std::min(console_at, console.size()); i < console.size() && lines > 0; ++i, --lines)
        tail += fmt::format("    {}\n", console[i]);
    return tail;
}

void require_boot(const std::string &arch) {
    require_qemu(arch);
    guest_program(arch);
}

BootResult boot(const BootRequest &request) {
    require_qemu(request.machine->arch);
    const auto begin = Clock::now();
    const BootDir dir(*request.machine, request.kernel, request.job, request.files);
    Command command = boot_command(*request.machine, dir.files, request.job.seed);
    command.log = dir.log();
    Watch watch(request, dir.files);
    {
        Child emulator(command);
        watch.follow(emulator);
    }
    BootEvidence &evidence = watch.evidence;
    evidence.emulator_message = last_line(read_file_or(dir.log()));

    const BootOutcome outcome = classify(evidence);
    BootResult result;
    result.end = outcome.end;
    result.message = fmt::format("{}: {}", request.machine->name, outcome.message);
    result.remedy = outcome.remedy;
    result.code = outcome.code;
    result.console_at = outcome.console_at;
    result.status = evidence.said.end_status.value_or(0);
    result.hello = std::move(evidence.said.hello);
    result.records = std::move(evidence.said.records);
    result.events = std::move(evidence.said.events);
    result.ktap = std::move(evidence.said.ktap);
    result.truth = std::move(evidence.truth);
    result.console = std::move(evidence.console);
    result.wall_seconds = std::chrono::duration<double>(Clock::now() - begin).count();
    return result;
}

BootResult boot_checked(const BootRequest &request) {
    BootResult result = boot(request);
    if (result.end == BootEnd::done)
        return result;
    std::string remedy = result.remedy;
    // The console explains what the guest could not; a guest error or an untrue machine explains itself.
    if (result.end != BootEnd::guest_error && result.end != BootEnd::untrue && !result.console.empty())
        remedy += fmt::format("{}the console said:\n{}", remedy.empty() ? "" : "\n  ", result.console_tail());
    throw Error(result.code, result.message, remedy);
}

} // namespace schedlab
