// SPDX-License-Identifier: GPL-2.0-or-later
#include "sys/wall_clock.h"

#include <chrono>
#include <fmt/chrono.h>

namespace schedlab {

std::string utc_now() {
    return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::chrono::system_clock::now()));
}

} // namespace schedlab
