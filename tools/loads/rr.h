// SPDX-License-Identifier: GPL-2.0-or-later
// Load `rr`: pairs of a client and a server, a request and a response at a time, as netperf's TCP_RR and UDP_RR.
#pragma once

#include "loads/load.h"

namespace schedlab {

Load rr_load();

} // namespace schedlab
