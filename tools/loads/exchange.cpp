// SPDX-License-Identifier: GPL-2.0-or-later
#include "loads/exchange.h"

#include <cerrno>
#include <liburing.h>
#include <sys/socket.h>

#include "core/error.h"
#include "loads/socket.h"

namespace schedlab {
namespace {

class SocketExchange : public Exchange {
public:
    explicit SocketExchange(int socket) : socket_(socket) {}
    bool operator()(std::span<const char> out, std::span<char> in) override {
        write_all(socket_, out);
        return read_all(socket_, in);
    }

private:
    int socket_;
};

// One system call per exchange: the receive is linked to the send, whose completion is only told when it failed.
class RingExchange : public Exchange {
public:
    explicit RingExchange(int socket) : socket_(socket) {
        if (const int err = ::io_uring_queue_init(2, &ring_, 0))
            throw environment_error("cannot set up io_uring: " + errno_text(-err),
                                    "it needs CONFIG_IO_URING, and sysctl kernel.io_uring_disabled=0");
    }
    ~RingExchange() override { ::io_uring_queue_exit(&ring_); }
    RingExchange(const RingExchange &) = delete;
    RingExchange &operator=(const RingExchange &) = delete;

    bool operator()(std::span<const char> out, std::span<char> in) override {
        if (!out.empty()) {
            io_uring_sqe *send = ::io_uring_get_sqe(&ring_);
            ::io_uring_prep_send(send, socket_, out.data(), out.size(), MSG_WAITALL);
            send->flags |= IOSQE_IO_LINK | IOSQE_CQE_SKIP_SUCCESS;
        }
        io_uring_sqe *receive = ::io_uring_get_sqe(&ring_);
        ::io_uring_prep_recv(receive, socket_, in.data(), in.size(), MSG_WAITALL);
        if (const int n = ::io_uring_submit_and_wait(&ring_, 1); n < 0)
            throw run_error("cannot wait for io_uring: " + errno_text(-n));
        io_uring_cqe *done = nullptr;
        if (::io_uring_peek_cqe(&ring_, &done) != 0)
            throw run_error("io_uring completed nothing");
        const int received = done->res;
        ::io_uring_cqe_seen(&ring_, done);
        if (received < 0)
            throw run_error("cannot exchange messages by io_uring: " + errno_text(-received));
        return std::size_t(received) == in.size();
    }

private:
    int socket_;
    io_uring ring_;
};

} // namespace

std::unique_ptr<Exchange> make_exchange(std::string_view engine, int socket) {
    if (engine == "io_uring")
        return std::make_unique<RingExchange>(socket);
    return std::make_unique<SocketExchange>(socket);
}

} // namespace schedlab
