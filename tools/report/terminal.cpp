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

} // namespace

Terminal terminal_of(std::FILE *stream) {
    Terminal terminal;
    const int fd = fileno(stream);
    if (!isatty(fd))
        return terminal;
    const bool dumb = environment("TERM") == "dumb";
    terminal.interactive = !dumb;
    terminal.color = !dumb && environment("NO_COLOR").empty();
    winsize size{};
    if (ioctl(fd, TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
        terminal.columns = size.ws_col;
    return terminal;
}

} // namespace schedlab
