// SPDX-License-Identifier: GPL-2.0-or-later
// libbpf talks to stderr. While one of these lives, what it says is kept instead, for one clear error.
#pragma once

#include <string>

#include "core/error.h"

namespace schedlab {

class BpfLog {
public:
    BpfLog();
    ~BpfLog();
    BpfLog(const BpfLog &) = delete;
    BpfLog &operator=(const BpfLog &) = delete;

    // `what` ("load the placement programs") failed with errno `err`: an environment error whose remedy is the last
    // lines libbpf or the verifier said, unless what to do is plain from `err`.
    Error error(const std::string &what, int err) const;
};

} // namespace schedlab
