// SPDX-License-Identifier: GPL-2.0-or-later
#include "cmd/event_output.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/error.h"
#include "report/perfetto.h"
#include "sys/files.h"

namespace schedlab {

void EventOutput::check(const std::vector<std::string> &probes) const {
    const auto records = [](const std::string &probe) { return probe.ends_with(":events") || probe.find(":events:") != probe.npos; };
    if ((!text.empty() || !perfetto.empty()) && std::ranges::none_of(probes, records))
        throw usage_error(fmt::format("{}: no probe records events", text.empty() ? "--perfetto" : "--events"),
                          "add --probe placement:events");
}

void EventOutput::write(const std::vector<std::string> &lines) const {
    if (!text.empty())
        write_file_atomically(text, fmt::format("{}\n", fmt::join(lines, "\n")));
    if (!perfetto.empty())
        write_file_atomically(perfetto, perfetto_trace(lines));
}

} // namespace schedlab
