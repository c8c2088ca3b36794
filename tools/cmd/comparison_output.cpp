// SPDX-License-Identifier: GPL-2.0-or-later
#include "cmd/comparison_output.h"

#include <cstdio>
#include <fmt/format.h>

#include "core/error.h"
#include "report/format.h"
#include "sys/files.h"
#include "sys/wall_clock.h"

namespace schedlab {

void ComparisonOutput::add_options(CLI::App &app) {
    app.add_option("--format", format, std::string("print it as: ") + format_names)->capture_default_str();
    app.add_option("--json", json, "write the comparison to this file; '-': to stdout, and nothing else");
    app.add_flag("--gate", gate, "exit with 1 if b is worse");
}

void ComparisonOutput::check() const {
    parse_format(format);
    const std::filesystem::path parent = std::filesystem::path(json).parent_path();
    if (!parent.empty() && !std::filesystem::is_directory(parent))
        throw usage_error("--json " + json + ": no such directory");
}

int ComparisonOutput::write(const ComparisonReport &report) const {
    const Format printed = json == "-" ? Format::json : parse_format(format);
    std::fputs(comparison_in(printed, report, terminal_of(stdout)).c_str(), stdout);
    if (!json.empty() && json != "-")
        write_file_atomically(json, comparison_in(Format::json, report, {}));
    if (!gate)
        return int(Exit::ok);
    const std::optional<Verdict> verdict = conclusion(report.metrics);
    if (!verdict)
        throw run_error("--gate: no metric that decides has a verdict", "give every arm 4 boots or more, or name metrics with --primary");
    return int(verdict == Verdict::worse ? Exit::failed : Exit::ok);
}

int ComparisonOutput::keep_and_write(ComparisonReport report, Store &store, const std::string &command) const {
    report.command = command;
    report.made_at = utc_now();
    if (store.writable())
        store.save_comparison({0, report.made_at, command, comparison_json(report), report.a.runs, report.b.runs});
    else
        fmt::print(stderr, "{} cannot be written: the comparison is not kept\n", store.path().string());
    return write(report);
}

} // namespace schedlab
