// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <filesystem>
#include <memory>

#include "import/format.h"

namespace schedlab {

bool is_sqlite(const std::filesystem::path &file); // told by its first bytes

// The database that the application keeps. Throws a usage error if it is another one, or broken.
std::unique_ptr<LogParser> read_jankbench_db(const std::filesystem::path &file);

} // namespace schedlab
