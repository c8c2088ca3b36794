// SPDX-License-Identifier: GPL-2.0-or-later
#include "loads/limits.h"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <fmt/format.h>
#include <sys/resource.h>

#include "core/error.h"
#include "sys/files.h"

namespace schedlab {
namespace {

std::uint64_t number_in(std::string_view text, std::uint64_t fallback) {
    const auto from = text.find_first_of("0123456789");
    if (from == text.npos)
        return fallback;
    std::uint64_t number = fallback;
    std::from_chars(text.data() + from, text.data() + text.size(), number);
    return number;
}

std::uint64_t open_descriptors() {
    std::error_code ignored;
    const std::filesystem::directory_iterator open("/proc/self/fd", ignored);
    return std::uint64_t(std::distance(begin(open), end(open)));
}

} // namespace


void check_descriptors(std::string_view load, std::uint64_t needed) {
    const std::uint64_t all = needed + open_descriptors();
    rlimit limit{};
    ::getrlimit(RLIMIT_NOFILE, &limit);
    if (all <= limit.rlim_cur)
        return;
    const rlimit raised = {all, std::max<rlim_t>(limit.rlim_max, all)}; // root may exceed the hard limit
    if (::setrlimit(RLIMIT_NOFILE, &raised) != 0)
        throw environment_error(
            fmt::format("load {}: it needs {} descriptors, and a process may have {}", load, all, limit.rlim_max),
            fmt::format("make the load smaller, or raise the limit: ulimit -Hn {}", all));
}

void check_tasks(std::string_view load, std::uint64_t needed) {
    rlimit user{};
    ::getrlimit(RLIMIT_NPROC, &user);
    const auto most_by = [needed](const char *file) { return number_in(read_file_or(file), needed); };
    const std::uint64_t most = std::min({std::uint64_t(user.rlim_cur), most_by("/proc/sys/kernel/threads-max"),
                                         most_by("/proc/sys/kernel/pid_max")});
    if (needed > most)
        throw environment_error(
            fmt::format("load {}: it needs {} tasks, and there may be {}", load, needed, most),
            "make the load smaller, or raise the limit: ulimit -u, kernel.threads-max, kernel.pid_max");
}

void check_memory(std::string_view load, std::uint64_t bytes) {
    const std::string meminfo = read_file_or("/proc/meminfo");
    const auto line = meminfo.find("MemAvailable:");
    if (line == meminfo.npos)
        return;
    const std::uint64_t available = number_in(std::string_view(meminfo).substr(line), 0) << 10;
    if (bytes > available)
        throw environment_error(fmt::format("load {}: it needs {} MiB of memory, and {} MiB are available", load,
                                            (bytes >> 20) + 1, available >> 20),
                                "make the load smaller");
}

} // namespace schedlab
