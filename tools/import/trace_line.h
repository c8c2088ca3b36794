// SPDX-License-Identifier: GPL-2.0-or-later
// A line of a scheduler trace, as ftrace's `trace` and `trace-cmd report` print it, or `perf script`:
//
//   bash-1234    ( 1234) [003] d.h1.   123.456789: sched_waking: comm=make pid=77 prio=120 target_cpu=009
//   make    77 [003]  123.456789:       sched:sched_switch: make:77 [120] S ==> bash:1234 [120]
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace schedlab {

struct TraceEvent {
    enum class Kind { waking, wakeup, wakeup_new, migrate, run } kind = Kind::run; // run: a switch, to `pid`
    int on = 0;                  // CPU that the event happened on
    std::uint64_t time_ns = 0;
    int pid = 0;                 // of the task that it is about, not of the one that ran
    std::string_view comm;       // in the line; any characters but a line's end
    int cpu = 0;                 // waking: where it was; wakeup: where it waits; migrate: from
    int to = 0;                  // migrate
};

// The same thing, told twice: a comm is a task's own.
inline bool same_event(const TraceEvent &a, const TraceEvent &b) {
    return a.time_ns == b.time_ns && a.kind == b.kind && a.on == b.on && a.pid == b.pid && a.cpu == b.cpu && a.to == b.to;
}

enum class TraceLine { event, other, broken }; // broken: an event of ours that cannot be read

// The fields are believed, not the head, whose task may be wrong: only CPU and time are taken from there.
TraceLine parse_trace_line(std::string_view line, TraceEvent &event);

// How many events a line says were lost, at least: ftrace's "CPU:2 [LOST 17 EVENTS]" or "[LOST EVENTS]", trace-cmd's "CPU:2
// [17 EVENTS DROPPED]". None of other lines.
std::optional<std::uint64_t> lost_events(std::string_view line);

} // namespace schedlab
