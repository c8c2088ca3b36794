// SPDX-License-Identifier: GPL-2.0-or-later
#include "sys/threads.h"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <optional>
#include <sstream>
#include <thread>

#include "core/error.h"
#include "sys/files.h"
#include "sys/interrupt.h"

namespace schedlab {

namespace fs = std::filesystem;

namespace {

// How often each thread has gone to sleep; nothing if one is awake.
std::optional<std::string> sleeps_of(pid_t process) {
    std::string sleeps;
    std::error_code gone;
    for (const auto &thread : fs::directory_iterator(fmt::format("/proc/{}/task", process), gone)) {
        std::istringstream lines(read_file_or(thread.path() / "status"));
        for (std::string line; std::getline(lines, line);) {
            if (line.starts_with("State:") && line.find('S', 6) == line.npos)
                return std::nullopt;
            if (line.starts_with("voluntary_ctxt_switches:"))
                sleeps += fmt::format("{} {}\n", thread.path().filename().string(), line);
        }
    }
    return sleeps;
}

} // namespace

// One look is not enough: a thread that was looked at first may have been woken by one that was looked at later.
void wait_until_asleep(pid_t process, std::chrono::milliseconds limit) {
    const auto deadline = std::chrono::steady_clock::now() + limit;
    std::optional<std::string> before, now;
    do {
        throw_if_interrupted();
        if (std::chrono::steady_clock::now() > deadline)
            throw run_error(fmt::format("process {} does not come to rest", process));
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
        before = std::exchange(now, sleeps_of(process));
    } while (!now || now != before);
}

} // namespace schedlab
