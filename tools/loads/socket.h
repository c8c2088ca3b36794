// SPDX-License-Identifier: GPL-2.0-or-later
// Connected sockets within this machine, and whole messages over them.
#pragma once

#include <span>
#include <string_view>

#include "sys/fd.h"

namespace schedlab {

struct SocketPair {
    Fd client, server;
};

// Each throws an environment error. TCP and UDP run over 127.0.0.1 and ports that the kernel chooses; TCP without
// Nagle's delay.
SocketPair unix_pair(); // a stream
SocketPair tcp_pair();
SocketPair udp_pair();

// All of it, by as many write(2) as that takes (pipes too). Throws a run error.
void write_all(int fd, std::span<const char> bytes);
// As much as was asked for, by as many read(2) as that takes; false if the peer is gone. Throws a run error.
bool read_all(int fd, std::span<char> bytes);

} // namespace schedlab
