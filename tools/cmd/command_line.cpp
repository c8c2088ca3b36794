// SPDX-License-Identifier: GPL-2.0-or-later
#include "cmd/command_line.h"

#include <algorithm>
#include <cstdio>

#include "core/error.h"
#include "core/nearest.h"

namespace schedlab {

namespace {

// CLI11 only says that a subcommand is required.
void refuse_unknown_command(const CLI::App &app, const Args &args) {
    if (app.get_require_subcommand_min() == 0 || args.empty() || args[0].starts_with('-'))
        return;
    std::vector<std::string> names;
    for (const CLI::App *sub : app.get_subcommands([](const CLI::App *) { return true; }))
        names.push_back(sub->get_name());
    if (std::find(names.begin(), names.end(), args[0]) != names.end())
        return;
    const std::string guess = nearest(args[0], names);
    throw usage_error("'" + app.get_name() + "' has no command '" + args[0] + "'",
                      guess.empty() ? "'" + app.get_name() + " --help' lists the commands" : "did you mean '" + guess + "'?");
}

} // namespace

bool parse_command_line(CLI::App &app, const Args &args) {
    refuse_unknown_command(app, args);
    try {
        app.parse(Args(args.rbegin(), args.rend())); // CLI11 takes them last first
        return true;
    } catch (const CLI::CallForHelp &) {
        // Of a nested command's help, the nested command's part.
        const CLI::App *asked = &app;
        while (!asked->get_subcommands().empty())
            asked = asked->get_subcommands().front();
        std::fputs(asked->help(asked == &app ? "" : app.get_name()).c_str(), stdout);
        return false;
    } catch (const CLI::ParseError &e) {
        std::string what = e.what();
        std::replace(what.begin(), what.end(), '\n', ' ');
        throw usage_error(what, "'" + app.get_name() + " --help' tells the options");
    }
}

void add_time_option(CLI::App &app, std::string &time) {
    app.add_option("--time", time,
                   "what time is on the machine: 'instructions' (one clock, no verdicts on time), or 'model' "
                   "(CPUs in parallel at their own speed; needs 'schedlab emulator build')")
        ->capture_default_str()
        ->check(CLI::IsMember({"instructions", "model"}));
}

} // namespace schedlab
