// SPDX-License-Identifier: GPL-2.0-or-later
// Sleeping on a word that tasks of one process share.
#pragma once

#include <atomic>
#include <cstdint>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace schedlab {

using FutexWord = std::atomic<std::uint32_t>;

// Returns when woken, when a signal comes, and at once if the word is not `expected`.
inline void futex_wait(FutexWord &word, std::uint32_t expected) {
    ::syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, expected, nullptr, nullptr, 0);
}

inline void futex_wake_one(FutexWord &word) {
    ::syscall(SYS_futex, &word, FUTEX_WAKE_PRIVATE, 1, nullptr, nullptr, 0);
}

} // namespace schedlab
