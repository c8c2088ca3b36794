// SPDX-License-Identifier: GPL-2.0-or-later
#include "report/terminal.h"

#include <cstdlib>
#include <string_view>
#include <sys/ioctl.h>
#include <unistd.h>

namespace schedlab {

namespace {

std::string_view environment(const char *name) {
    const char *value = std::getenv(name);
    return value ? value : "";
}

// As setlocale(3) would decide about characters.
bool is_utf8() {
    for (const char *name : {"LC_ALL", "LC_CTYPE", "LANG"})
        if (const std::string_view value = environment(name); !value.empty())
            return value.find("UTF-8") != value.npos || value.find("utf8") != value.npos;
    return false;
}

} // namespace

Terminal terminal_of(std::FILE *stream) {
    Terminal terminal;
    const int fd = fileno(stream);
    if (!isatty(fd))
        return terminal;
    const bool dumb = environment("TERM") == "dumb";
    terminal.interactive = !dumb;
    terminal.color = !dumb && environment("NO_COLOR").empty();
    terminal.unicode = !dumb && is_utf8();
    winsize size{};
    if (ioctl(fd, TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
        terminal.columns = size.ws_col;
    return terminal;
}

} // namespace schedlab
