// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <chrono>
#include <sys/types.h>

namespace schedlab {

// Waits until all threads of a process sleep, and none has work on the way to it: a thread that is woken is no longer
// asleep before its waker goes on. Throws a run error if that does not come to pass within `limit`.
void wait_until_asleep(pid_t process, std::chrono::milliseconds limit);

} // namespace schedlab
