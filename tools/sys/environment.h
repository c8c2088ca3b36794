// SPDX-License-Identifier: GPL-2.0-or-later
// What of a system can change how it schedules, beside its kernel's code: kept with every run, so that two runs that
// differ can be told apart.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>

namespace schedlab {

// {release, version, command_line, sysctls, features, mitigations, governors, lowest_khz, highest_khz, no_turbo, boost, smt,
// huge_pages, firmware}; what this system does not have is left out. `root` stands in for "/" (tests use trees of their own); release and version are always
// the running kernel's.
nlohmann::ordered_json read_environment(const std::filesystem::path &root = "/");

} // namespace schedlab
