// SPDX-License-Identifier: GPL-2.0-or-later
#include "guest/channel.h"

#include <cerrno>
#include <fcntl.h>
#include <nlohmann/json.hpp>
#include <termios.h>

namespace schedlab {

using Json = nlohmann::ordered_json;

Channel Channel::open(const std::string &device) {
    Fd port(::open(device.c_str(), O_RDWR | O_NOCTTY | O_CLOEXEC));
    termios mode{};
    if (!port || ::tcgetattr(port.get(), &mode) != 0)
        throw environment_error("cannot open the host's channel " + device + ": " + errno_text(errno),
                                "the kernel needs a driver for the machine's serial ports");
    ::cfmakeraw(&mode);
    mode.c_cflag |= CLOCAL;
    ::cfsetspeed(&mode, B115200);
    if (::tcsetattr(port.get(), TCSANOW, &mode) != 0)
        throw environment_error("cannot set up " + device + ": " + errno_text(errno));
    return Channel(std::move(port));
}

void Channel::say(const Json &line) {
    const std::string text = line.dump() + '\n';
    for (std::size_t done = 0; done < text.size();) {
        const ssize_t n = ::write(port_.get(), text.data() + done, text.size() - done);
        if (n < 0 && errno != EINTR)
            throw environment_error("cannot write to the host's channel: " + errno_text(errno));
        done += n > 0 ? std::size_t(n) : 0;
    }
}

void Channel::say_error(const Error &error) {
    say({{"type", "error"}, {"message", error.what()}, {"remedy", error.remedy()}, {"code", int(error.code())}});
}

void Channel::say_end(int status) { say({{"type", "end"}, {"status", status}}); }

void Channel::drain() { ::tcdrain(port_.get()); }

} // namespace schedlab
