// SPDX-License-Identifier: GPL-2.0-or-later
#include "sys/fd.h"

#include <cerrno>
#include <fcntl.h>

#include "core/error.h"

namespace schedlab {

Pipe make_pipe() {
    int fds[2];
    if (::pipe2(fds, O_CLOEXEC) != 0)
        throw environment_error("cannot make a pipe: " + errno_text(errno));
    return {Fd(fds[0]), Fd(fds[1])};
}

} // namespace schedlab
