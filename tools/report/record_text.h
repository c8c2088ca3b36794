// SPDX-License-Identifier: GPL-2.0-or-later
// One record as text for people.
#pragma once

#include <string>

#include "core/record.h"

namespace schedlab {

// The load's own metrics one a line, then the placement ledger as two small tables, then losses and warnings.
std::string record_text(const Record &record);

} // namespace schedlab
