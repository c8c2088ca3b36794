// SPDX-License-Identifier: GPL-2.0-or-later
// Command lines of subcommands, parsed by CLI11.
#pragma once

#include <CLI/CLI.hpp>

#include "cmd/command.h"

namespace schedlab {

// Parses `args` into what was added to `app` (named "schedlab COMMAND"). False if help was asked for and has been
// printed: the command is done. Throws a usage error that names the option.
bool parse_command_line(CLI::App &app, const Args &args);

// --time instructions|model
void add_time_option(CLI::App &app, std::string &time);

} // namespace schedlab
