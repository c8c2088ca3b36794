// SPDX-License-Identifier: GPL-2.0-or-later
// What a kernel build's output says: how far it is, and what went wrong first.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "core/error.h"

namespace schedlab {

// Steps of Kbuild ("  CC      kernel/fork.o") in a piece of its output that begins at a line's start.
int count_steps(std::string_view output);

// The line that tells the first error: the compiler's, assembler's, linker's or else make's own; empty if none does.
std::string first_error(const std::string &log);

// A run error for a build that failed, with its first error; an environment error if the disk was full.
Error build_failure(const std::string &log, const std::string &what, const std::filesystem::path &log_path);

} // namespace schedlab
