// SPDX-License-Identifier: GPL-2.0-or-later
#include "probes/probe.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sstream>

#include "core/error.h"
#include "probes/latency.h"
#include "probes/path.h"
#include "probes/placement.h"
#include "probes/share.h"
#include "probes/waste.h"

namespace schedlab {
namespace {

std::vector<std::string> split(const std::string &text, char separator) {
    std::vector<std::string> parts;
    std::istringstream in(text);
    for (std::string part; std::getline(in, part, separator);)
        parts.push_back(part);
    return parts;
}

struct Asked {
    const ProbeKind *kind;
    std::set<std::string> views;
};

Asked parse_probe(const std::string &text) {
    const std::vector<std::string> parts = split(text, ':');
    const std::string name = parts.empty() ? "" : parts.front();
    const auto kind = std::ranges::find(all_probes(), name, &ProbeKind::name);
    if (kind == all_probes().end()) {
        std::vector<std::string_view> known;
        for (const ProbeKind &k : all_probes())
            known.push_back(k.name);
        throw usage_error(fmt::format("unknown probe '{}'", name),
                          fmt::format("probes: {}", fmt::join(known, ", ")));
    }
    Asked asked{&*kind, {}};
    for (std::size_t i = 1; i < parts.size(); ++i) {
        if (std::ranges::find(kind->views, parts[i]) == kind->views.end())
            throw usage_error(fmt::format("probe {} has no view '{}'", name, parts[i]),
                              kind->views.empty() ? "it has none"
                                                  : fmt::format("views: {}", fmt::join(kind->views, ", ")));
        asked.views.insert(parts[i]);
    }
    return asked;
}

} // namespace

std::span<const ProbeKind> all_probes() {
    static const ProbeKind probes[] = {
        {"placement", "where wakeups put tasks and what they missed; migrations by cause and distance",
         make_placement_probe, {"tasks", "commands", "cpus", "events"}},
        {"latency", "how long tasks wait from being woken, queued or preempted until they run", make_latency_probe},
        {"share", "each task's CPU time against its fair share; how busy CPUs and cores are",
         make_share_probe, {"tasks"}},
        {"waste", "waiting while a usable CPU idles; sharing a core, cluster, LLC or node while another idles",
         make_waste_probe},
        {"path", "instructions per operation", make_path_probe},
    };
    return probes;
}

std::unique_ptr<Probe> make_probe(const std::string &asked, ProbeSetup setup) {
    Asked probe = parse_probe(asked);
    setup.views = std::move(probe.views);
    return probe.kind->make(std::move(setup));
}

std::vector<std::string> parse_probes(const std::string &list) {
    if (list == "none")
        return {};
    std::vector<std::string> probes = split(list, ',');
    std::set<const ProbeKind *> kinds;
    for (const std::string &text : probes)
        if (!kinds.insert(parse_probe(text).kind).second)
            throw usage_error(fmt::format("--probe {}: a probe is named twice", list),
                              "join its views: NAME:VIEW:VIEW");
    if (probes.empty())
        throw usage_error("--probe: which one?", "'none' measures without");
    return probes;
}

std::string probe_help() {
    std::string text;
    for (const ProbeKind &kind : all_probes())
        text += fmt::format("  {:<10} {}{}\n", kind.name, kind.summary,
                            kind.views.empty() ? "" : fmt::format(" (views: {})", fmt::join(kind.views, ", ")));
    return text;
}

} // namespace schedlab
