// SPDX-License-Identifier: GPL-2.0-or-later
// The guest's way to the host: JSON lines (core/job.h) on a serial port of their own.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "core/error.h"
#include "sys/fd.h"

namespace schedlab {

class Channel {
public:
    explicit Channel(Fd port) : port_(std::move(port)) {}
    // Opens a serial port and makes it raw: bytes arrive as they were written.
    static Channel open(const std::string &device);

    int fd() const { return port_.get(); }
    void say(const nlohmann::ordered_json &line);
    void say_error(const Error &error);
    void say_end(int status);
    void drain(); // waits until the port has sent everything

private:
    Fd port_;
};

} // namespace schedlab
