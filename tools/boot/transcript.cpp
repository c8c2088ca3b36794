// SPDX-License-Identifier: GPL-2.0-or-later
#include "boot/transcript.h"

#include <algorithm>
#include <climits>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <regex>

#include "core/error.h"
#include "core/json_object.h"

namespace schedlab {

using Json = nlohmann::ordered_json;

void Transcript::feed(std::string_view bytes) {
    rest.append(bytes);
    for (std::size_t end; (end = rest.find('\n')) != rest.npos; rest.erase(0, end + 1))
        take(rest.substr(0, end));
}

void Transcript::take(const std::string &line) {
    try {
        const Json message = Json::parse(line);
        const JsonObject said(message, "message");
        const std::string type = said.text("type");
        if (type == "hello")
            hello = message;
        else if (type == "record")
            records.push_back(message.at("record").get<Record>());
        else if (type == "event")
            events.push_back(message.at("line"));
        else if (type == "ktap")
            ktap.push_back(message.at("line"));
        else if (type == "error")
            error = Error(Exit(said.integer("code", 0, 255)), said.text("message"), said.text("remedy"));
        else if (type == "timeout")
            timeout = std::chrono::seconds(said.integer("seconds", 0, INT_MAX));
        else if (type == "end")
            end_status = int(said.integer("status", INT_MIN, INT_MAX));
        else if (type != "progress")
            throw run_error(fmt::format("of unknown type '{}'", type));
    } catch (const std::exception &e) {
        if (!error)
            error = run_error(fmt::format("it said a line that is no message ({}): {}", e.what(), line.substr(0, 120)));
    }
}

namespace {

// A console line without the kernel's "[    1.234567] " and "[    T1] ".
std::string_view text_of(std::string_view line) {
    while (line.starts_with('[')) {
        const std::size_t end = line.find("] ");
        if (end == line.npos)
            break;
        line.remove_prefix(end + 2);
    }
    return line;
}

template <class Test> std::optional<std::size_t> first_line(const std::vector<std::string> &console, Test test) {
    const auto at = std::find_if(console.begin(), console.end(), [&](const auto &line) { return test(text_of(line)); });
    return at == console.end() ? std::nullopt : std::optional(std::size_t(at - console.begin()));
}

bool contains(std::string_view line, std::string_view text) { return line.find(text) != line.npos; }

bool is_panic(std::string_view line) { return line.starts_with("Kernel panic - not syncing"); }

// mm/oom_kill.c: "Out of memory: Killed process 57 (NAME) total-vm:..."
bool is_oom_kill(std::string_view line) {
    return line.starts_with("Out of memory: Killed process") || line.starts_with("Memory cgroup out of memory: Killed process");
}

// Reports after which a kernel may go on and nothing it says can be trusted: WARN and lockdep ("WARNING: "), BUG,
// KASAN, KCSAN and soft lockups ("BUG: "), UBSAN, RCU stalls and hung tasks ("INFO: "), oopses, and the scheduler's
// own complaints about its domains ("ERROR: ", kernel/sched/topology.c).
bool is_report(std::string_view line) {
    static const std::regex report(
        "(WARNING: |BUG: |kernel BUG at |UBSAN: |ERROR: |Oops|Internal error: |Unable to handle kernel |"
        "general protection fault|watchdog: BUG: |(rcu: )?INFO: rcu.*detected |"
        "INFO: task .* blocked for more than |INFO: trying to register non-static key).*");
    return std::regex_match(line.begin(), line.end(), report);
}

} // namespace

BootOutcome classify(const BootEvidence &evidence) {
    const Transcript &said = evidence.said;
    BootOutcome outcome;
    outcome.console_at = evidence.console.size() - std::min<std::size_t>(evidence.console.size(), 20);
    const auto ended = [&outcome](BootEnd end, std::string message, std::string remedy = {}) {
        outcome.end = end;
        outcome.message = std::move(message);
        outcome.remedy = std::move(remedy);
        return outcome;
    };
    const auto report = first_line(evidence.console, is_report);
    const auto panic = first_line(evidence.console, is_panic);
    const auto oom_kill = first_line(evidence.console, is_oom_kill);
    const auto console_text = [&](std::size_t line) { return text_of(evidence.console[line]); };

    // Whatever followed, a panic or a load that misses a task, followed from it.
    if (oom_kill) {
        outcome.console_at = *oom_kill;
        const std::string_view line = console_text(*oom_kill);
        return ended(BootEnd::out_of_memory, fmt::format("the guest ran out of memory: {}", line.substr(0, line.find(" total-vm:"))),
                     "give the load less to do, or the machine's model more memory");
    }
    // init that dies takes the kernel with it: that panic is the guest program's, unless an oops killed it.
    if (panic && !report && contains(console_text(*panic), "Attempted to kill init"))
        return ended(BootEnd::guest_exit, fmt::format("the guest program died as init: {}", console_text(*panic)));
    if (panic) {
        outcome.console_at = std::min({outcome.console_at, *panic, report.value_or(*panic)});
        return ended(BootEnd::panic, fmt::format("the kernel panicked: {}", console_text(*panic)));
    }
    if (report) {
        outcome.console_at = *report;
        return ended(BootEnd::warning, fmt::format("the kernel reported a fault: {}", console_text(*report)),
                     "its results cannot be trusted and are dropped");
    }
    if (!evidence.truth.empty())
        return ended(BootEnd::untrue,
                     fmt::format("the kernel did not build the machine's domains: {}", fmt::join(evidence.truth, "; ")),
                     "the machine's model or the kernel's configuration is not what it should be "
                     "(SCHED_MC, SCHED_CLUSTER, SCHED_SMT, NUMA)");
    if (said.error) {
        outcome.code = said.error->code();
        return ended(BootEnd::guest_error, fmt::format("the guest could not do its job: {}", said.error->what()),
                     said.error->remedy());
    }
    if (said.timeout)
        return ended(BootEnd::hang, fmt::format("the job did not end within {} s of guest time", said.timeout->count()),
                     "it hangs, or is given less work or more time");
    if (said.end_status)
        return ended(BootEnd::done, "done");
    if (!evidence.emulator)
        return ended(BootEnd::hang,
                     fmt::format("the machine was silent for the whole of its {} s of wall time: {}",
                                 evidence.wall_limit.count(),
                                 said.hello.is_null() ? "the guest never spoke" : "the guest spoke, but did not end"));
    if (*evidence.emulator != 0) {
        outcome.code = Exit::environment;
        const int status = *evidence.emulator;
        const std::string how = status > 128 ? fmt::format("was killed by signal {}", status - 128)
                                             : fmt::format("ended with status {}", status);
        const std::string &why = evidence.emulator_message;
        return ended(BootEnd::qemu_failed, fmt::format("QEMU {}{}{}", how, why.empty() ? "" : ": ", why));
    }
    if (!said.rest.empty())
        return ended(BootEnd::truncated,
                     fmt::format("the guest's channel stopped inside a line: {}", said.rest.substr(0, 120)));
    return ended(BootEnd::guest_exit, said.hello.is_null()
                                          ? "the machine went off before the guest spoke"
                                          : "the machine went off before the guest had ended its job");
}

} // namespace schedlab
