// SPDX-License-Identifier: GPL-2.0-or-later
#include "loads/frame_log.h"

#include <cerrno>
#include <fcntl.h>

#include "sys/files.h"

namespace schedlab {

FrameLog::FrameLog(const std::string &path, std::size_t lines)
    : path_(path), text_(lines * width, ' '),
      file_(::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666)) {
    if (!file_)
        throw file_error("write", path_, errno);
    if (const int err = ::posix_fallocate(file_.get(), 0, off_t(text_.size())))
        throw file_error("allocate", path_, err);
    if (const int err = ::io_uring_queue_init(16, &ring_, 0))
        throw environment_error("cannot set up io_uring: " + errno_text(-err),
                                "it needs CONFIG_IO_URING, and sysctl kernel.io_uring_disabled=0");
}

FrameLog::~FrameLog() { ::io_uring_queue_exit(&ring_); }

void FrameLog::write(std::size_t line, std::string_view text) {
    char *const place = text_.data() + line * width;
    text.copy(place, width - 1);
    place[width - 1] = '\n';
    io_uring_sqe *const entry = ::io_uring_get_sqe(&ring_);
    if (!entry) { // earlier ones could not be submitted
        error_ = error_ ? error_ : EBUSY;
        return;
    }
    ::io_uring_prep_write(entry, file_.get(), place, width, line * width);
    if (const int n = ::io_uring_submit(&ring_); n >= 0)
        under_way_ += std::size_t(n);
    else
        error_ = error_ ? error_ : -n;
    for (io_uring_cqe *done = nullptr; ::io_uring_peek_cqe(&ring_, &done) == 0;)
        take(done);
}

void FrameLog::take(io_uring_cqe *done) {
    --under_way_;
    if (done->res != int(width) && !error_)
        error_ = done->res < 0 ? -done->res : EIO;
    ::io_uring_cqe_seen(&ring_, done);
}

void FrameLog::finish() {
    while (under_way_ > 0) {
        io_uring_cqe *done = nullptr;
        const int err = ::io_uring_wait_cqe(&ring_, &done);
        if (err == 0)
            take(done);
        else if (err != -EINTR)
            throw file_error("write", path_, -err);
    }
    if (error_)
        throw file_error("write", path_, error_);
}

} // namespace schedlab
