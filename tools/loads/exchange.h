// SPDX-License-Identifier: GPL-2.0-or-later
// How a side of a connection sends what it has and waits for what it wants: by a system call each, or by io_uring.
#pragma once

#include <memory>
#include <span>
#include <string_view>

namespace schedlab {

class Exchange {
public:
    virtual ~Exchange() = default;
    // Sends `out`, which may be empty, then receives until `in` is full. False if the peer is gone. Throws a run
    // error.
    virtual bool operator()(std::span<const char> out, std::span<char> in) = 0;
};

// `engine` is "socket" or "io_uring". Throws an environment error if this system has no such engine.
std::unique_ptr<Exchange> make_exchange(std::string_view engine, int socket);

} // namespace schedlab
