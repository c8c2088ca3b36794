// SPDX-License-Identifier: GPL-2.0-or-later
// Which runs of a store are meant.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace schedlab {

// What narrows the choice; all that is given must hold.
struct RunQuery {
    std::vector<std::pair<std::int64_t, std::int64_t>> ids; // ranges, inclusive
    std::string tag;
    std::string machine, load;
    std::string ended;       // "done", "panic" ...
    std::int64_t newest = 0; // only so many of the newest; 0: all

    bool narrowed() const;
};

// As on a command line: "12", "12-20,31", or a tag. Throws a usage error.
RunQuery parse_run_query(const std::string &text);

// A tag is a name: letters, digits and . _ / + -, not a digit first, so that it is no id. Throws a usage error.
void check_tag(std::string_view name);

} // namespace schedlab
