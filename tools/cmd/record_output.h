// SPDX-License-Identifier: GPL-2.0-or-later
// Where `bench` and `trace` put a record.
#pragma once

#include <string>

#include "core/record.h"

namespace schedlab {

// `json` = "": text under `title` on stdout; "-": JSON alone on stdout; else the text, and JSON in that file.
void write_record(const Record &record, const std::string &json, const std::string &title);

} // namespace schedlab
