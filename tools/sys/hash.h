// SPDX-License-Identifier: GPL-2.0-or-later
// SHA-256 (libcrypto): the keys of the content-addressed cache. Host only: the static guest does not link it.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace schedlab {

std::string sha256_hex(std::string_view bytes);
std::string sha256_file(const std::filesystem::path &path); // throws an environment error

} // namespace schedlab
