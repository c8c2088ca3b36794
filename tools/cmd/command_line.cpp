// SPDX-License-Identifier: GPL-2.0-or-later
#include "cmd/command_line.h"

#include <algorithm>
#include <cstdio>

#include "core/error.h"

namespace schedlab {

bool parse_command_line(CLI::App &app, const Args &args) {
    try {
        app.parse(Args(args.rbegin(), args.rend())); // CLI11 takes them last first
        return true;
    } catch (const CLI::CallForHelp &) {
        // Of a nested command's help, the nested command's part.
        const CLI::App *asked = &app;
        while (!asked->get_subcommands().empty())
            asked = asked->get_subcommands().front();
        std::fputs(asked->help().c_str(), stdout);
        return false;
    } catch (const CLI::ParseError &e) {
        std::string what = e.what();
        std::replace(what.begin(), what.end(), '\n', ' ');
        throw usage_error(what, "'" + app.get_name() + " --help' tells the options");
    }
}

} // namespace schedlab
