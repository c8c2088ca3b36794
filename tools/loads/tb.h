// SPDX-License-Identifier: GPL-2.0-or-later
// Load `tb`: clients and servers exchange the messages of a file server's day over TCP, as tbench.
#pragma once

#include "loads/load.h"

namespace schedlab {

Load tb_load();

} // namespace schedlab
