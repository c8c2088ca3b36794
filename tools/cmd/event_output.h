// SPDX-License-Identifier: GPL-2.0-or-later
// Where `bench`, `trace` and `machine run` put the events that a probe recorded.
#pragma once

#include <string>
#include <vector>

namespace schedlab {

struct EventOutput {
    std::string text, perfetto; // files; "": none

    // Throws a usage error if events are asked for and none of `probes` ("placement:events") records any.
    void check(const std::vector<std::string> &probes) const;
    void write(const std::vector<std::string> &lines) const;
};

inline constexpr auto events_help = "write what a probe's view 'events' recorded to this file";
inline constexpr auto perfetto_help = "write the events to this file as a trace that Perfetto opens";

} // namespace schedlab
