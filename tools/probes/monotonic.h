// SPDX-License-Identifier: GPL-2.0-or-later
// The clock that BPF programs read too.
#pragma once

#include <cstdint>
#include <ctime>

namespace schedlab {

inline std::uint64_t monotonic_ns() {
    timespec now;
    ::clock_gettime(CLOCK_MONOTONIC, &now);
    return std::uint64_t(now.tv_sec) * 1'000'000'000 + std::uint64_t(now.tv_nsec);
}

} // namespace schedlab
