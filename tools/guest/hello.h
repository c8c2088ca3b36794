// SPDX-License-Identifier: GPL-2.0-or-later
// What the guest says of itself before anything is measured.
#pragma once

#include "guest/channel.h"

namespace schedlab {

// Kernel, topology, domains and scheduler features. Throws an environment error where the kernel does not tell them.
void say_hello(Channel &channel);

} // namespace schedlab
