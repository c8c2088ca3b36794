// SPDX-License-Identifier: GPL-2.0-or-later
#include "import/trace.h"

#include <algorithm>
#include <fmt/format.h>
#include <sstream>

#include "core/error.h"
#include "import/lines.h"
#include "import/open_log.h"
#include "import/trace_ledger.h"
#include "import/trace_order.h"

namespace schedlab {

namespace {

constexpr int sniffed_lines = 2000;

// "# entries-in-buffer/entries-written: 100/500   #P:8": how many were overwritten before it was read.
std::uint64_t overwritten(std::string_view line) {
    constexpr std::string_view title = "# entries-in-buffer/entries-written: ";
    if (!line.starts_with(title))
        return 0;
    std::uint64_t kept = 0, written = 0;
    char slash = 0;
    std::istringstream(std::string(line.substr(title.size()))) >> kept >> slash >> written;
    return written > kept ? written - kept : 0;
}

bool is_page(std::string_view line) { return line.starts_with("<!DOCTYPE html") || line.starts_with("<html"); }

class TraceReader {
public:
    // `sort`: by time, instead of as they stand.
    TraceReader(const Topology &topology, const std::set<std::string, std::less<>> &commands, bool sort)
        : ledger_(topology, commands), sort_(sort) {}

    bool runs_backwards() const { return backwards_ > 0; }

    void read(std::istream &text) {
        Lines lines(text);
        for (std::string_view line; lines.next(line);)
            take(line);
        order_.end(ledger_);
    }

    Imported result(const std::string &name) {
        if (events_ == 0)
            throw usage_error(name + ": a trace without a scheduler event that can be used",
                              skipped_.empty() ? "record sched_waking, sched_wakeup, sched_wakeup_new, sched_migrate_task and sched_switch"
                                               : fmt::format("line {}: {}", skipped_[0].line, skipped_[0].reason));
        ImportedResult result;
        result.line = 1;
        Record &record = result.record;
        record.load = "trace";
        record.options = nlohmann::ordered_json::object();
        record.metrics = ledger_.metrics();
        if (lost_)
            record.losses.push_back({"trace.lost", lost_, Severity::data_loss});
        if (ledger_.unknown_cpus())
            record.losses.push_back({"trace.unknown_cpu", ledger_.unknown_cpus(), Severity::data_loss});
        if (overwritten_)
            record.losses.push_back({"trace.overwritten", overwritten_, Severity::info});
        if (backwards_)
            record.warnings.push_back(fmt::format("trace: time runs backwards {} times: events are taken in the order of {}", backwards_,
                                                  sort_ ? "their times" : "the text"));
        if (doubled_)
            record.warnings.push_back(fmt::format("trace: {} events come twice, as two sources of one event do: taken once", doubled_));
        if (!record.find("wakeups"))
            record.warnings.push_back("trace: no sched_waking in it: nothing is told of wakeups");
        return {"scheduler trace", {std::move(result)}, std::move(skipped_)};
    }

private:
    void take(std::string_view line) {
        ++number_;
        TraceEvent event;
        switch (parse_trace_line(line, event)) {
        case TraceLine::event:
            if (events_ > 0 && same_event(event, last_event_)) {
                ++doubled_;
                break;
            }
            ++events_;
            last_event_ = event;
            if (std::size_t(event.on) >= last_ns_.size())
                last_ns_.resize(std::size_t(event.on) + 1);
            backwards_ += event.time_ns < last_ns_[event.on];
            last_ns_[event.on] = event.time_ns;
            sort_ ? order_.take(event, ledger_) : ledger_.take(event);
            break;
        case TraceLine::broken: add_skipped(skipped_, number_, "an event whose fields cannot be read"); break;
        case TraceLine::other:
            if (const auto lost = lost_events(line))
                lost_ += *lost;
            overwritten_ += overwritten(line);
        }
    }

    TraceLedger ledger_;
    bool sort_;
    TraceOrder order_;
    std::vector<std::uint64_t> last_ns_; // by CPU
    std::size_t number_ = 0;
    std::uint64_t events_ = 0, lost_ = 0, overwritten_ = 0, backwards_ = 0, doubled_ = 0;
    TraceEvent last_event_; // without its comm, which has gone
    std::vector<Skipped> skipped_;
};

} // namespace

bool is_trace(const std::filesystem::path &file) {
    const std::unique_ptr<std::istream> in = open_log(file);
    Lines lines(*in);
    TraceEvent event;
    std::string_view line;
    bool page = false; // systrace's: a viewer of many lines, and the trace behind it
    for (int i = 0; (i < sniffed_lines || page) && lines.next(line); ++i) {
        page = page || (i == 0 && is_page(line));
        if (line.starts_with("# tracer:") || parse_trace_line(line, event) != TraceLine::other)
            return true;
    }
    return false;
}

Imported import_trace(std::istream &text, const std::string &name, const Topology &topology,
                      const std::set<std::string, std::less<>> &commands) {
    TraceReader reader(topology, commands, false);
    reader.read(text);
    text.clear();
    if (!reader.runs_backwards() || !text.seekg(0)) // what is packed is read once
        return reader.result(name);
    TraceReader sorting(topology, commands, true);
    sorting.read(text);
    return sorting.result(name);
}

Topology read_topology_lines(std::istream &text, const std::string &name) {
    Topology topology;
    std::size_t number = 0;
    for (std::string line; std::getline(text, line) && line.starts_with("cpu ");) {
        CpuPlace cpu;
        std::string cpu_word, core, cluster, llc, node, capacity;
        std::istringstream words(line);
        ++number;
        words >> cpu_word >> cpu.cpu >> core >> cpu.core >> cluster >> cpu.cluster >> llc >> cpu.llc >> node >> cpu.node >> capacity >>
            cpu.capacity;
        if (!words || core != "core" || cluster != "cluster" || llc != "llc" || node != "node" || capacity != "capacity")
            throw usage_error(fmt::format("{}:{}: not 'cpu N core N cluster N llc N node N capacity N'", name, number));
        topology.cpus.push_back(cpu);
    }
    if (topology.cpus.empty())
        throw usage_error(name + ": no line 'cpu N core N cluster N llc N node N capacity N'",
                          "'schedlab machine run --probe placement:events --events FILE' writes some");
    std::ranges::sort(topology.cpus, {}, &CpuPlace::cpu);
    return topology;
}

} // namespace schedlab
