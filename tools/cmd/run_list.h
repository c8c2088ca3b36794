// SPDX-License-Identifier: GPL-2.0-or-later
// Runs of the store for people.
#pragma once

#include <string>
#include <vector>

#include "report/terminal.h"
#include "store/store.h"

namespace schedlab {

// A line per run: number, start, end, machine, load, seed, kernel with its features, tags.
std::string run_list(const std::vector<StoredRun> &runs, const Terminal &terminal);

// One run: where it came from, its environment, and its record.
std::string run_text(const StoredRun &run);

} // namespace schedlab
