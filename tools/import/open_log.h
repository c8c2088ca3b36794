// SPDX-License-Identifier: GPL-2.0-or-later
// Logs as files: as text, or packed by gzip, or as `atrace -z` packs its trace.
#pragma once

#include <filesystem>
#include <istream>
#include <memory>

namespace schedlab {

// The text, unpacked as it is read. Throws an environment error if the file cannot be read; reading from the stream throws a
// usage error where packed data are broken or cut off.
std::unique_ptr<std::istream> open_log(const std::filesystem::path &file);

} // namespace schedlab
