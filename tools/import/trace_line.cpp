// SPDX-License-Identifier: GPL-2.0-or-later
#include "import/trace_line.h"

#include <algorithm>
#include <charconv>
#include <cstring>

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
bool is_blank(char c) { return c == ' ' || c == '\t'; }

// A decimal number at the beginning of `text`: "009" is nine.
template <class Number> bool read_number(std::string_view text, Number &number) {
    return std::from_chars(text.data(), text.data() + text.size(), number).ec == std::errc();
}

// Where `key` stands last. Fields of one event stand in a fixed order, and names may hold anything: what stands last is the
// field. Looked for by its last character, of which a line has few.
std::size_t last(std::string_view text, std::string_view key) {
    while (!text.empty()) {
        const void *const found = memrchr(text.data(), key.back(), text.size());
        if (!found)
            break;
        text = {text.data(), static_cast<const char *>(found) + 1};
        if (text.ends_with(key))
            return text.size() - key.size();
        text.remove_suffix(1);
    }
    return text.npos;
}

bool read_field(std::string_view text, std::string_view key, int &number) {
    const std::size_t at = last(text, key);
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
    const char *begin = rest.data(), *const all = begin + rest.size();
    while (begin < all && is_blank(*begin))
        ++begin;
    const char *end = begin;
    while (end < all && !is_blank(*end))
        ++end;
    rest = {end, all};
    return {begin, end};
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
    const bool run = event.kind == Kind::run;
    const std::string_view name_key = run ? " ==> next_comm=" : "comm=", pid_key = run ? " next_pid=" : " pid=";
    const std::size_t name = run ? last(text, name_key) : text.find(name_key), pid = last(text, pid_key);
    if (name == text.npos || pid == text.npos || pid < name)
        return read_short(text, event);
    event.comm = text.substr(name + name_key.size(), pid - name - name_key.size());
    if (!read_number(text.substr(pid + pid_key.size()), event.pid))
        return false;
    if (run)
        return true;
    if (event.kind == Kind::migrate)
        return read_field(text, " orig_cpu=", event.cpu) && read_field(text, " dest_cpu=", event.to);
    return read_field(text, " target_cpu=", event.cpu);
}

// Kernels before 5.14 also tell of wakeups that woke nothing, before the CPU.
bool woke_nothing(std::string_view text) {
    return text.substr(0, std::min(last(text, " target_cpu="), last(text, " CPU:"))).ends_with(" success=0");
}

} // namespace

TraceLine parse_trace_line(std::string_view line, TraceEvent &event) {
    if (line.starts_with('#'))
        return TraceLine::other;
    for (std::size_t bracket = line.find('['); bracket != line.npos; bracket = line.find('[', bracket + 1)) {
        std::string_view rest;
        if (!read_head(line, bracket, event, rest))
            continue;
        std::string_view name = next_word(rest);
        if (name.starts_with("sched:"))
            name.remove_prefix(6);
        if (!name.ends_with(':')) // a name that has brackets, a time and a blank in it
            continue;
        name.remove_suffix(1);
        const auto known = std::ranges::find(names, name, &Name::text);
        if (known == std::end(names))
            return TraceLine::other;
        event.kind = known->kind;
        if ((event.kind == Kind::wakeup || event.kind == Kind::wakeup_new || event.kind == Kind::waking) && woke_nothing(rest))
            return TraceLine::other;
        return read_fields(rest, event) ? TraceLine::event : TraceLine::broken;
    }
    return TraceLine::other;
}

std::optional<std::uint64_t> lost_events(std::string_view line) {
    const std::size_t open = line.find('[');
    if (!line.starts_with("CPU:") || open == line.npos)
        return std::nullopt;
    const std::string_view text = line.substr(open + 1);
    const bool lost = text.starts_with("LOST ");
    if (!lost && text.find("EVENTS DROPPED]") == text.npos)
        return std::nullopt;
    std::uint64_t count = 1; // at least: the number may be missing
    read_number(text.substr(lost ? 5 : 0), count);
    return count;
}

} // namespace schedlab
