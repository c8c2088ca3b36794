// SPDX-License-Identifier: GPL-2.0-or-later
// Names that others gave, as they may be shown: no byte of them moves a cursor or breaks a table.
#pragma once

#include <string>
#include <string_view>

namespace schedlab {

// Every byte that is not printable ASCII becomes '?'.
std::string printable(std::string_view text);

} // namespace schedlab
