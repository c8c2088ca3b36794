// SPDX-License-Identifier: GPL-2.0-or-later
// Metrics of a load that are read better side by side than one a line.
#pragma once

#include <set>
#include <string>

#include "core/record.h"

namespace schedlab {

// frames: count, mean, std, 25 % ... 99 % and janks in one line; hogs: a line per task, as in top. Of a mix, each
// of its loads' likewise. The names of what is in them are added to `shown`; empty if there is nothing of the kind.
std::string load_tables(const Record &record, std::set<std::string> &shown);

} // namespace schedlab
