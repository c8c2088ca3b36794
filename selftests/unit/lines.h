// SPDX-License-Identifier: GPL-2.0-or-later
// Text as what reads line by line wants it.
#pragma once

#include <sstream>
#include <string>
#include <vector>

namespace schedlab::test {

inline std::vector<std::string> lines_of(const std::string &text) {
    std::vector<std::string> lines;
    std::istringstream in(text);
    for (std::string line; std::getline(in, line);)
        lines.push_back(line);
    return lines;
}

} // namespace schedlab::test
