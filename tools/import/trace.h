// SPDX-License-Identifier: GPL-2.0-or-later
// Traces of scheduler events in text → one record with their placement ledger.
#pragma once

#include <set>
#include <string>

#include "core/topology.h"
#include "import/import.h"

namespace schedlab {

bool is_trace(const std::filesystem::path &file); // told by its first lines

// `commands`: whose tasks are counted; empty: everybody's. Lost events become a loss of the record, which so cannot be
// compared. Throws a usage error if no event can be used.
Imported import_trace(std::istream &text, const std::string &name, const Topology &topology,
                      const std::set<std::string, std::less<>> &commands);

// Of lines "cpu 0 core 0 cluster 0 llc 0 node 0 capacity 1024", as they stand on top of what --events writes; the rest of
// such a file is not read. Throws a usage error with the line.
Topology read_topology_lines(std::istream &text, const std::string &name);

} // namespace schedlab
