// SPDX-License-Identifier: GPL-2.0-or-later
// Numbers of fields are those of protos/perfetto/trace/ in Perfetto's source: trace.proto, ftrace/ftrace_event.proto,
// ftrace/sched.proto. They never change; readers skip what they do not know.
#include "report/perfetto.h"

#include <cstdint>
#include <fmt/format.h>
#include <map>
#include <optional>
#include <set>
#include <sstream>
#include <string_view>
#include <vector>

#include "core/error.h"

namespace schedlab {

namespace {

// A message of protobuf's wire format: fields in the order of writing.
class Message {
public:
    Message &number(unsigned field, std::uint64_t value) {
        varint(field << 3 | 0);
        varint(value);
        return *this;
    }
    Message &text(unsigned field, std::string_view bytes) {
        varint(field << 3 | 2);
        varint(bytes.size());
        bytes_ += bytes;
        return *this;
    }
    Message &message(unsigned field, const Message &part) { return text(field, part.bytes_); }
    void append(const Message &fields) { bytes_ += fields.bytes_; }
    const std::string &bytes() const { return bytes_; }

private:
    void varint(std::uint64_t value) {
        for (; value >= 0x80; value >>= 7)
            bytes_ += char(value | 0x80);
        bytes_ += char(value);
    }
    std::string bytes_;
};

enum TraceField { trace_packet = 1, packet_ftrace_events = 1, bundle_cpu = 1, bundle_event = 2 };
enum EventField { event_timestamp = 1, event_pid = 2, event_print = 3, event_switch = 4, event_wakeup = 17, event_hotplug = 19,
                  event_waking = 20, event_wakeup_new = 114 };
enum SwitchField { prev_comm = 1, prev_pid = 2, prev_state = 4, next_comm = 5, next_pid = 6 };
enum WakeField { wake_comm = 1, wake_pid = 2, wake_target = 5 };
enum HotplugField { hotplug_cpu = 1, hotplug_status = 3 };
constexpr unsigned print_buffer = 2;
constexpr std::size_t events_per_bundle = 1000;

struct Event {
    std::uint64_t time_ns = 0;
    std::string kind, task, flags; // `task`: its address
    int pid = 0, on = 0, from = 0, to = 0;
};

Event parse_event(const std::string &line) {
    Event e;
    std::string on, from, to, flags;
    std::istringstream words(line);
    words >> e.time_ns >> e.kind >> e.task >> e.pid >> on >> e.on >> from >> e.from >> to >> e.to >> flags >> e.flags;
    if (!words || on != "on" || from != "from" || to != "to" || flags != "flags" || e.on < 0)
        throw usage_error("not an event of the probe placement: " + line, "--probe placement:events records some");
    return e;
}

constexpr std::uint64_t runnable = 0, sleeping = 1; // the kernel's TASK_RUNNING, TASK_INTERRUPTIBLE

struct Switch {
    std::size_t prev = 0;               // the event by which the task that leaves came
    std::optional<std::uint64_t> state; // in which it leaves, as far as what it did next tells
};

class Writer {
public:
    explicit Writer(std::vector<Event> events) : events_(std::move(events)) {
        for (const Event &e : events_)
            if (e.flags.find('s') != e.flags.npos)
                load_.insert(e.pid);
        follow();
    }

    std::string trace() {
        for (std::size_t i = 0; i < events_.size(); ++i)
            add(events_[i].on, encoded(i));
        for (auto &[cpu, bundle] : bundles_)
            close(cpu, bundle);
        return trace_.bytes();
    }

private:
    struct Bundle {
        Message events;
        std::size_t count = 0;
    };

    // Who leaves at each switch, and, backwards, whether it is woken before it runs again.
    void follow() {
        std::map<int, std::size_t> runs; // by CPU
        for (std::size_t i = 0; i < events_.size(); ++i)
            if (events_[i].kind == "switch") {
                if (const auto at = runs.find(events_[i].on); at != runs.end())
                    switches_[i].prev = at->second;
                runs[events_[i].on] = i;
            }
        std::map<std::string, std::uint64_t> next; // by task: the state that its next event tells
        for (std::size_t i = events_.size(); i-- > 0;) {
            if (const auto at = switches_.find(i); at != switches_.end())
                if (const auto told = next.find(events_[at->second.prev].task); told != next.end())
                    at->second.state = told->second;
            next[events_[i].task] = events_[i].kind == "waking" || events_[i].kind == "wakeup" ? sleeping : runnable;
        }
    }

    std::string name(int pid, int cpu) const {
        return pid == 0 ? fmt::format("swapper/{}", cpu) : fmt::format("{}:{}", load_.contains(pid) ? "load" : "pid", pid);
    }

    // The task on whose account an event stands: who ran there, but the migrated task of a migration.
    int runner(const Event &e) const {
        const auto at = running_.find(e.on);
        return e.kind == "migrate" || at == running_.end() ? e.pid : at->second;
    }

    Message encoded(std::size_t i) {
        const Event &e = events_[i];
        Message event;
        event.number(event_timestamp, e.time_ns).number(event_pid, std::uint64_t(runner(e)));
        if (e.kind == "switch") {
            event.message(event_switch, switched(i));
            running_[e.on] = e.pid;
        } else if (e.kind == "migrate") { // an instant on the task's track, in atrace's words
            Message print;
            event.message(event_print, print.text(print_buffer, fmt::format("I|{}|migrate {} -> {}\n", e.pid, e.from, e.to)));
        } else if (e.kind == "hotplug") {
            Message hotplug;
            event.message(event_hotplug, hotplug.number(hotplug_cpu, std::uint64_t(e.from)).number(hotplug_status, e.to == 0));
        } else {
            Message wake;
            wake.text(wake_comm, name(e.pid, e.from)).number(wake_pid, std::uint64_t(e.pid)).number(wake_target, std::uint64_t(e.from));
            event.message(e.kind == "waking" ? event_waking : e.kind == "fork" ? event_wakeup_new : event_wakeup, wake);
        }
        return event;
    }

    Message switched(std::size_t i) const {
        const Event &e = events_[i];
        Message fields;
        if (const auto at = switches_.find(i); at != switches_.end()) {
            const int prev = events_[at->second.prev].pid;
            fields.text(prev_comm, name(prev, e.on)).number(prev_pid, std::uint64_t(prev));
            if (at->second.state)
                fields.number(prev_state, *at->second.state);
        }
        return fields.text(next_comm, name(e.pid, e.on)).number(next_pid, std::uint64_t(e.pid));
    }

    void add(int cpu, const Message &event) {
        Bundle &bundle = bundles_[cpu];
        bundle.events.message(bundle_event, event);
        if (++bundle.count == events_per_bundle)
            close(cpu, bundle);
    }

    void close(int cpu, Bundle &bundle) {
        if (bundle.count == 0)
            return;
        Message whole, packet;
        whole.number(bundle_cpu, std::uint64_t(cpu)).append(bundle.events);
        trace_.message(trace_packet, packet.message(packet_ftrace_events, whole));
        bundle = {};
    }

    std::vector<Event> events_;
    std::set<int> load_;                       // pids
    std::map<std::size_t, Switch> switches_;   // by event; not the first of each CPU
    std::map<int, int> running_;               // by CPU: a pid
    std::map<int, Bundle> bundles_;            // by CPU
    Message trace_;
};

} // namespace

std::string perfetto_trace(std::span<const std::string> lines) {
    std::vector<Event> events;
    for (const std::string &line : lines)
        if (!line.starts_with("cpu "))
            events.push_back(parse_event(line));
    if (events.empty())
        throw usage_error("no event to put into a trace", "--probe placement:events records some");
    return Writer(std::move(events)).trace();
}

} // namespace schedlab
