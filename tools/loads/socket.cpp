// SPDX-License-Identifier: GPL-2.0-or-later
#include "loads/socket.h"

#include <cerrno>
#include <fmt/format.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

#include "core/error.h"

namespace schedlab {
namespace {

void require(bool done, const char *what) {
    if (done)
        return;
    const int err = errno;
    throw environment_error(fmt::format("cannot {}: {}", what, errno_text(err)),
                            err == ENETUNREACH || err == EADDRNOTAVAIL ? "as root: ip link set lo up" : "");
}

Fd inet_socket(int type) {
    Fd fd(::socket(AF_INET, type | SOCK_CLOEXEC, 0));
    require(bool(fd), "make an IP socket");
    return fd;
}

Fd bound_to_loopback(int type) {
    Fd fd = inet_socket(type);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    require(::bind(fd.get(), reinterpret_cast<sockaddr *>(&address), sizeof(address)) == 0, "bind to 127.0.0.1");
    return fd;
}

void connect_to(const Fd &from, const Fd &to) {
    sockaddr_storage address;
    socklen_t size = sizeof(address);
    auto *peer = reinterpret_cast<sockaddr *>(&address);
    require(::getsockname(to.get(), peer, &size) == 0 && ::connect(from.get(), peer, size) == 0,
            "connect over 127.0.0.1");
}

void send_at_once(const Fd &fd) {
    const int on = 1;
    ::setsockopt(fd.get(), IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
}

} // namespace

SocketPair unix_pair() {
    int fds[2];
    require(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fds) == 0, "make a pair of unix sockets");
    return {Fd(fds[0]), Fd(fds[1])};
}

SocketPair tcp_pair() {
    const Fd listener = bound_to_loopback(SOCK_STREAM);
    require(::listen(listener.get(), 1) == 0, "listen on 127.0.0.1");
    SocketPair pair{inet_socket(SOCK_STREAM), {}};
    connect_to(pair.client, listener);
    pair.server = Fd(::accept4(listener.get(), nullptr, nullptr, SOCK_CLOEXEC));
    require(bool(pair.server), "accept a connection on 127.0.0.1");
    send_at_once(pair.client);
    send_at_once(pair.server);
    return pair;
}

SocketPair udp_pair() {
    SocketPair pair{bound_to_loopback(SOCK_DGRAM), bound_to_loopback(SOCK_DGRAM)};
    connect_to(pair.client, pair.server);
    connect_to(pair.server, pair.client);
    return pair;
}

void write_all(int fd, std::span<const char> bytes) {
    while (!bytes.empty()) {
        const ssize_t n = ::write(fd, bytes.data(), bytes.size());
        if (n < 0)
            throw run_error("cannot send: " + errno_text(errno));
        bytes = bytes.subspan(std::size_t(n));
    }
}

bool read_all(int fd, std::span<char> bytes) {
    while (!bytes.empty()) {
        const ssize_t n = ::read(fd, bytes.data(), bytes.size());
        if (n < 0)
            throw run_error("cannot receive: " + errno_text(errno));
        if (n == 0)
            return false;
        bytes = bytes.subspan(std::size_t(n));
    }
    return true;
}

} // namespace schedlab
