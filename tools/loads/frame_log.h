// SPDX-License-Identifier: GPL-2.0-or-later
// Lines of a text file that are written while a load runs, without anyone waiting for storage: the file has its
// final size from the start, and io_uring writes.
#pragma once

#include <cstddef>
#include <liburing.h>
#include <string>
#include <string_view>

#include "sys/fd.h"

namespace schedlab {

class FrameLog {
public:
    static constexpr std::size_t width = 64; // of a line, its newline included

    // Throws an environment error if the file or the ring cannot be made.
    FrameLog(const std::string &path, std::size_t lines);
    ~FrameLog();
    FrameLog(const FrameLog &) = delete;
    FrameLog &operator=(const FrameLog &) = delete;

    // By one task at a time; each line once. Longer text is cut. What fails is told by finish().
    void write(std::size_t line, std::string_view text);
    void finish(); // waits until all is written; throws an environment error

private:
    void take(io_uring_cqe *done);

    std::string path_, text_;
    Fd file_;
    io_uring ring_;
    std::size_t under_way_ = 0;
    int error_ = 0; // errno of the first failure
};

} // namespace schedlab
