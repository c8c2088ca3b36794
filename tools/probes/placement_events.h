// SPDX-License-Identifier: GPL-2.0-or-later
// The placement probe's events as lines of text, for people, awk and the oracle test:
//
//   cpu N core N cluster N llc N node N capacity N apart N  a line per CPU, first; apart: 1 offline, 2 isolated
//   NS KIND TASK PID on CPU from N to N flags LETTERS util N allowed LIST
//
// TASK is the address of the task_struct, LETTERS tell what held at that moment, "-": none of these: c
// counted (between start and stop), s in the scope, q queued, r on a CPU, w being woken, x in execve.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "bpf/placement.h"
#include "core/topology.h"

namespace schedlab {

// `apart` (enum probe_apart) is of when the events begin.
std::vector<std::string> topology_lines(const Topology &topology, std::span<const unsigned char> apart);
std::string event_line(const placement_event &event);

} // namespace schedlab
