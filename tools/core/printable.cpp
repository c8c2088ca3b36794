// SPDX-License-Identifier: GPL-2.0-or-later
#include "core/printable.h"

#include <algorithm>

namespace schedlab {

std::string printable(std::string_view text) {
    std::string shown(text);
    std::ranges::replace_if(shown, [](unsigned char c) { return c < 0x20 || c >= 0x7f; }, '?');
    return shown;
}

} // namespace schedlab
