// SPDX-License-Identifier: GPL-2.0-or-later
// Does the job. It is a process apart from init, so that init sees it crash, hang or leave too early.
#pragma once

#include "core/job.h"
#include "guest/channel.h"

namespace schedlab {

// Switches features, does `job` and says how it ended. Throws what went wrong.
void do_job(const Job &job, Channel &channel);

} // namespace schedlab
