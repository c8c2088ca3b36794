// SPDX-License-Identifier: GPL-2.0-or-later
// The clock that loads measure with.
#pragma once

#include <cstdint>
#include <ctime>

namespace schedlab {

inline std::int64_t monotonic_ns() {
    timespec now;
    ::clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * 1'000'000'000LL + now.tv_nsec;
}

} // namespace schedlab
