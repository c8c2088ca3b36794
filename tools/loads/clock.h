// SPDX-License-Identifier: GPL-2.0-or-later
// The clock that loads measure with.
#pragma once

#include <cstdint>
#include <ctime>

namespace schedlab {

inline std::int64_t clock_ns(clockid_t clock) {
    timespec now;
    ::clock_gettime(clock, &now);
    return now.tv_sec * 1'000'000'000LL + now.tv_nsec;
}

inline std::int64_t monotonic_ns() { return clock_ns(CLOCK_MONOTONIC); }

// Until monotonic_ns() reaches `ns`, or a signal comes.
inline void sleep_until_ns(std::int64_t ns) {
    const timespec then{ns / 1'000'000'000, ns % 1'000'000'000};
    ::clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &then, nullptr);
}

} // namespace schedlab
