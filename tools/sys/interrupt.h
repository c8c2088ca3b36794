// SPDX-License-Identifier: GPL-2.0-or-later
// SIGINT and SIGTERM as something that long waits notice: the handler only sets a flag and writes to a
// pipe; waits poll the pipe and throw, so that destructors run and nothing is left behind.
#pragma once

namespace schedlab {

void install_interrupt_handlers(); // called once by main(); SIGPIPE is ignored there too
bool interrupted();
int interrupt_fd();                // readable once interrupted; -1 before installation
void throw_if_interrupted();       // throws Error(Exit::interrupted, "interrupted")

} // namespace schedlab
