// SPDX-License-Identifier: GPL-2.0-or-later
// What a guest said on its channel (core/job.h), and what a boot came to. Pure: text in, facts out.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "boot/boot.h"

namespace schedlab {

// The channel, fed as it arrives.
struct Transcript {
    nlohmann::ordered_json hello; // null until the guest spoke
    std::vector<Record> records;
    std::vector<std::string> events;
    std::vector<std::string> ktap;
    std::optional<Error> error;                  // of the guest
    std::optional<std::chrono::seconds> timeout; // the guest's own limit passed
    std::optional<int> end_status;
    std::string rest; // an unfinished line

    // Takes the next bytes. A line that is no message becomes an error: the channel carries nothing else.
    void feed(std::string_view bytes);

private:
    void take(const std::string &line);
};

// How a boot ended, as seen from outside the guest.
struct BootEvidence {
    std::vector<std::string> console;
    Transcript said;
    std::vector<std::string> truth;    // from truth_check
    std::optional<int> emulator;       // QEMU's exit status; nullopt: it had to be killed
    std::string emulator_message;      // the last line of its stderr
    std::chrono::seconds wall_limit{}; // what it was killed after
};

struct BootOutcome {
    BootEnd end = BootEnd::qemu_failed;
    std::string message, remedy;
    Exit code = Exit::failed;
    std::size_t console_at = 0; // the console line that tells: the first WARN, the panic; else the tail's beginning
};

BootOutcome classify(const BootEvidence &);

} // namespace schedlab
