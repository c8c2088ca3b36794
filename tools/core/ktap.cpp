// SPDX-License-Identifier: GPL-2.0-or-later
#include "core/ktap.h"

#include <algorithm>
#include <fmt/format.h>
#include <optional>
#include <regex>

namespace schedlab {
namespace {

const std::regex version_line("K?TAP version \\d+");
const std::regex plan_line("1\\.\\.(\\d{1,6})(?:\\s*#\\s*SKIP\\s*(.*))?");
const std::regex result_line("(not )?ok (\\d{1,6})(?: (?:- )?([^#]*?))?\\s*(?:#\\s*SKIP\\s*(.*?))?\\s*(?:#.*)?");
const std::regex bail_line("Bail out!\\s*(.*)");

} // namespace

std::size_t KtapReport::count(TestOutcome outcome) const {
    return std::size_t(std::ranges::count(results, outcome, &TestResult::outcome));
}

KtapReport parse_ktap(std::span<const std::string> lines) {
    KtapReport report;
    std::optional<std::size_t> planned;
    const auto fault = [&report](std::string what) {
        if (report.fault.empty())
            report.fault = std::move(what);
    };
    if (lines.empty() || !std::regex_match(lines.front(), version_line))
        fault("the first line is no KTAP version");
    for (const std::string &line : lines) {
        std::smatch part;
        if (std::regex_match(line, part, plan_line)) {
            if (planned)
                fault("a second plan");
            planned = std::stoul(part[1]);
            report.skipped_whole = part[2];
            if (*planned == 0 && !part[2].matched)
                fault("a plan of nothing");
        } else if (std::regex_match(line, part, result_line)) {
            const std::size_t number = std::stoul(part[2]);
            if (number != report.results.size() + 1)
                fault(fmt::format("result {} where {} was due", number, report.results.size() + 1));
            const TestOutcome outcome = part[1].matched   ? TestOutcome::failed
                                        : part[4].matched ? TestOutcome::skipped
                                                          : TestOutcome::passed;
            report.results.push_back({part[3], outcome, part[4]});
        } else if (std::regex_match(line, part, bail_line)) {
            fault("it gave up: " + part[1].str());
        }
    }
    if (!planned)
        fault("no plan");
    else if (*planned != report.results.size())
        fault(fmt::format("{} results of {} planned", report.results.size(), *planned));
    return report;
}

} // namespace schedlab
