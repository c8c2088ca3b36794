// SPDX-License-Identifier: GPL-2.0-or-later
#include "import/trace_line.h"

#include <algorithm>
#include <charconv>

namespace schedlab {

namespace {

using Kind = TraceEvent::Kind;

struct Name {
    std::string_view text;
    Kind kind;
};
constexpr Name names[] = {{"sched_waking", Kind::waking},
                          {"sched_wakeup", Kind::wakeup},
                          {"sched_wakeup_new", Kind::wakeup_new},
                          {"sched_migrate_task", Kind::migrate},
                          {"sched_switch", Kind::run}};

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// A decimal number at the beginning of `text`: "009" is nine.
template <class Number> bool read_number(std::string_view text, Number &number) {
    return std::from_chars(text.data(), text.data() + text.size(), number).ec == std::errc();
}

// Fields of one event stand in a fixed order, and names may hold anything: what stands last is the field.
bool read_field(std::string_view text, std::string_view key, int &number) {
    const std::size_t at = text.rfind(key);
    return at != text.npos && read_number(text.substr(at + key.size()), number);
}

// "123.456789:" → nanoseconds; a counter clock has no fraction.
bool read_time(std::string_view word, std::uint64_t &time_ns) {
    if (word.size() < 2 || word.back() != ':' || !is_digit(word[0]))
        return false;
    const char *const end = word.data() + word.size() - 1;
    std::uint64_t seconds = 0, fraction = 0;
    const auto whole = std::from_chars(word.data(), end, seconds);
    if (whole.ec != std::errc())
        return false;
    if (whole.ptr == end) {
        time_ns = seconds;
        return true;
    }
    const char *const digits = whole.ptr + 1;
    const auto part = std::from_chars(digits, end, fraction);
    if (*whole.ptr != '.' || part.ptr != end || part.ec != std::errc() || end - digits > 9)
        return false;
    for (auto n = end - digits; n < 9; ++n)
        fraction *= 10;
    time_ns = seconds * 1'000'000'000 + fraction;
    return true;
}

std::string_view next_word(std::string_view &rest) {
    const std::size_t first = rest.find_first_not_of(" \t");
    if (first == rest.npos) {
        rest = {};
        return {};
    }
    const std::size_t end = std::min(rest.find_first_of(" \t", first), rest.size());
    const std::string_view word = rest.substr(first, end - first);
    rest.remove_prefix(end);
    return word;
}

// Reads "[003] flags time: " at `line`'s bracket; false if that is no head, but a bracket in a name. Leaves the rest.
bool read_head(std::string_view line, std::size_t bracket, TraceEvent &event, std::string_view &rest) {
    const std::size_t close = line.find(']', bracket);
    if (close == line.npos || close == bracket + 1 || close - bracket > 6)
        return false;
    for (std::size_t i = bracket + 1; i < close; ++i)
        if (!is_digit(line[i]))
            return false;
    read_number(line.substr(bracket + 1), event.on);
    rest = line.substr(close + 1);
    const std::string_view word = next_word(rest);
    return read_time(word, event.time_ns) || read_time(next_word(rest), event.time_ns);
}

// libtraceevent's short form: "make:77 [120] CPU:009", "... ==> bash:1234 [120]".
bool read_short(std::string_view text, TraceEvent &event) {
    text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
    if (event.kind == Kind::run) {
        const std::size_t arrow = text.rfind(" ==> ");
        if (arrow == text.npos)
            return false;
        text.remove_prefix(arrow + 5);
    } else if (!read_field(text, " CPU:", event.cpu)) {
        return false;
    }
    const std::size_t prio = text.rfind(" [");
    const std::size_t colon = prio == text.npos ? prio : text.rfind(':', prio);
    if (colon == text.npos || !read_number(text.substr(colon + 1), event.pid))
        return false;
    event.comm = text.substr(0, colon);
    return true;
}

bool read_fields(std::string_view text, TraceEvent &event) {
    const std::string_view name_key = event.kind == Kind::run ? " ==> next_comm=" : "comm=";
    const std::string_view pid_key = event.kind == Kind::run ? " next_pid=" : " pid=";
    const std::size_t name = event.kind == Kind::run ? text.rfind(name_key) : text.find(name_key), pid = text.rfind(pid_key);
    if (name == text.npos || pid == text.npos || pid < name)
        return read_short(text, event);
    event.comm = text.substr(name + name_key.size(), pid - name - name_key.size());
    if (!read_field(text, pid_key, event.pid))
        return false;
    if (event.kind == Kind::run)
        return true;
    if (event.kind == Kind::migrate)
        return read_field(text, " orig_cpu=", event.cpu) && read_field(text, " dest_cpu=", event.to);
    return read_field(text, " target_cpu=", event.cpu);
}

} // namespace

TraceLine parse_trace_line(std::string_view line, TraceEvent &event) {
    if (line.empty() || line[0] == '#' || line.find("sched_") == line.npos)
        return TraceLine::other;
    for (std::size_t bracket = line.find('['); bracket != line.npos; bracket = line.find('[', bracket + 1)) {
        std::string_view rest;
        if (!read_head(line, bracket, event, rest))
            continue;
        std::string_view name = next_word(rest);
        if (name.starts_with("sched:"))
            name.remove_prefix(6);
        if (!name.ends_with(':'))
            return TraceLine::other;
        name.remove_suffix(1);
        for (const Name &known : names)
            if (name == known.text) {
                event.kind = known.kind;
                if (rest.find(" success=0 ") != rest.npos) // nothing was woken; old kernels print it
                    return TraceLine::other;
                return read_fields(rest, event) ? TraceLine::event : TraceLine::broken;
            }
        return TraceLine::other;
    }
    return TraceLine::other;
}

std::optional<std::uint64_t> lost_events(std::string_view line) {
    constexpr std::string_view lost = "[LOST ";
    const std::size_t at = line.find(lost);
    std::uint64_t count = 0;
    if (!line.starts_with("CPU:") || at == line.npos || !read_number(line.substr(at + lost.size()), count))
        return std::nullopt;
    return count;
}

} // namespace schedlab
