// SPDX-License-Identifier: GPL-2.0-or-later
#include "kernel/build_log.h"

#include <regex>
#include <sstream>

namespace schedlab {

namespace {

constexpr std::string_view no_space = "No space left on device";

} // namespace

int count_steps(std::string_view output) {
    int steps = 0;
    while (!output.empty()) {
        // Two blanks, then the command in capitals.
        steps += output.size() > 2 && output.starts_with("  ") && output[2] >= 'A' && output[2] <= 'Z';
        output.remove_prefix(std::min(output.find('\n'), output.size() - 1) + 1);
    }
    return steps;
}

std::string first_error(const std::string &log) {
    // From the most telling to the least. objtool, resolve_btfids and pahole speak as "FAILED" or "error:".
    static const std::regex kinds[] = {
        std::regex(R"(.*:\d+: (fatal )?error: .*|.*: Error: .*|.*undefined reference to .*|.*ld: .*error.*)"),
        std::regex(R"((error|ERROR|FAILED|fatal)\b.*|.*: error: .*|.*: not found)"),
        std::regex(R"(make(\[\d+\])?: \*\*\* .*|.*\*\*\* .*)"),
    };
    for (const std::regex &kind : kinds) {
        std::istringstream lines(log);
        for (std::string line; std::getline(lines, line);)
            if (std::regex_match(line, kind))
                return line;
    }
    return {};
}

Error build_failure(const std::string &log, const std::string &what, const std::filesystem::path &log_path) {
    if (log.find(no_space) != log.npos)
        return environment_error(
            what + ": the disk is full",
            "free some space ('schedlab kernel prune' empties schedlab's cache) and run it again");
    const std::string error = first_error(log);
    return run_error(what + " failed" + (error.empty() ? "" : ": " + error),
                     "the whole log is " + log_path.string());
}

} // namespace schedlab
