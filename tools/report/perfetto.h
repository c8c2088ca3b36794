// SPDX-License-Identifier: GPL-2.0-or-later
// Events of the probe placement as a trace that Perfetto (https://ui.perfetto.dev) and its trace processor open.
#pragma once

#include <span>
#include <string>

namespace schedlab {

// `lines` as --events writes them (probes/placement_events.h) → a Trace of Perfetto's protobufs. The lines have no names:
// tasks of the load are called load:PID, others pid:PID. Throws a usage error that names a line it cannot read, or if there
// is no event.
std::string perfetto_trace(std::span<const std::string> lines);

} // namespace schedlab
