// SPDX-License-Identifier: GPL-2.0-or-later
#include "probes/probe.h"

#include <algorithm>
#include <iterator>

#include "core/error.h"
#include "probes/placement.h"

namespace schedlab {
namespace {

constexpr ProbeKind probes[] = {
    {"placement", "where wakeups put tasks, and which migrations there were, by cause and distance",
     make_placement_probe},
};

} // namespace

std::span<const ProbeKind> all_probes() { return probes; }

const ProbeKind &find_probe(std::string_view name) {
    const auto found = std::ranges::find(probes, name, &ProbeKind::name);
    if (found != std::end(probes))
        return *found;
    std::string known;
    for (const ProbeKind &kind : probes)
        known += (known.empty() ? "" : ", ") + std::string(kind.name);
    throw usage_error("unknown probe '" + std::string(name) + "'", "probes: " + known);
}

} // namespace schedlab
