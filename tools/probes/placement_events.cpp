// SPDX-License-Identifier: GPL-2.0-or-later
#include "probes/placement_events.h"

#include <fmt/format.h>

namespace schedlab {
namespace {

constexpr const char *kind_names[placement_event_kinds] = {"waking", "migrate", "wakeup",
                                                           "fork",   "switch",  "hotplug"};
constexpr char flag_letters[event_flags + 1] = "csqrwx"; // in the order of placement_event_flag

std::string letters(unsigned flags) {
    std::string text;
    for (int bit = 0; bit < event_flags; ++bit)
        if (flags >> bit & 1)
            text += flag_letters[bit];
    return text.empty() ? "-" : text;
}

std::string list_of(const probe_cpus &cpus) {
    std::vector<int> numbers;
    for (int cpu = 0; cpu < probe_max_cpus; ++cpu)
        if (cpus.word[cpu / 64] >> cpu % 64 & 1)
            numbers.push_back(cpu);
    return numbers.empty() ? "-" : CpuSet(std::move(numbers)).to_list();
}

} // namespace

std::vector<std::string> topology_lines(const Topology &topology, std::span<const unsigned char> apart) {
    std::vector<std::string> lines;
    for (const CpuPlace &place : topology.cpus)
        lines.push_back(fmt::format("cpu {} core {} cluster {} llc {} node {} capacity {} apart {}", place.cpu,
                                    place.core, place.cluster, place.llc, place.node, place.capacity,
                                    place.cpu < int(apart.size()) ? apart[place.cpu] : int(apart_offline)));
    return lines;
}

std::string event_line(const placement_event &event) {
    return fmt::format("{} {} {:x} {} on {} from {} to {} flags {} util {} allowed {}", event.time_ns,
                       kind_names[event.kind], event.task, event.pid, event.cpu, event.from, event.to,
                       letters(event.flags), event.utilization, list_of(event.allowed));
}

} // namespace schedlab
