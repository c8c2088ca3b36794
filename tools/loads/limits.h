// SPDX-License-Identifier: GPL-2.0-or-later
// What a load will need, compared with what this system grants, before anything is started. Each throws an
// environment error that says both; `load` is named in it.
#pragma once

#include <cstdint>
#include <string_view>

namespace schedlab {

// This process can hold `needed` descriptors on top of those that are open. Raises its limit to that if it may.
void check_descriptors(std::string_view load, std::uint64_t needed);

// This user can start `needed` more tasks.
void check_tasks(std::string_view load, std::uint64_t needed);

// This much memory is available (MemAvailable).
void check_memory(std::string_view load, std::uint64_t bytes);

// What a task costs at least: its kernel stack, page tables and the pages that it writes to.
inline constexpr std::uint64_t bytes_per_process = 256 << 10, bytes_per_thread = 64 << 10;

} // namespace schedlab
