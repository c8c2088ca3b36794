// SPDX-License-Identifier: GPL-2.0-or-later
// The tables of a run store (docs/store.md), made or brought up to date.
#pragma once

#include "store/database.h"

namespace schedlab {

inline constexpr int store_schema_version = 4;

// Makes the tables in an empty file; migrates those of an older schedlab, in one transaction. Throws an environment
// error for another program's file and for one of a newer schedlab; neither is touched.
void prepare_schema(Database &db);

} // namespace schedlab
