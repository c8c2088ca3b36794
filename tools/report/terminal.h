// SPDX-License-Identifier: GPL-2.0-or-later
// What a stream can show.
#pragma once

#include <cstdio>

namespace schedlab {

struct Terminal {
    bool interactive = false; // somebody watches: lines may be rewritten
    bool color = false;
    int columns = 100;        // of a file or a pipe: wide enough for everything
    bool unicode = false;     // a terminal whose locale says UTF-8
};

// Colours need a terminal and neither NO_COLOR (https://no-color.org) nor TERM=dumb.
Terminal terminal_of(std::FILE *stream);

} // namespace schedlab
