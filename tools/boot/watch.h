// SPDX-License-Identifier: GPL-2.0-or-later
// Follows a machine: what its console and its channel say, until it is off or has nothing more to say.
#pragma once

#include <chrono>
#include <fstream>

#include "boot/boot.h"
#include "boot/qemu.h"
#include "boot/transcript.h"

namespace schedlab {

// A file that another process appends to.
class GrowingFile {
public:
    explicit GrowingFile(std::filesystem::path path) : path_(std::move(path)) {}
    std::string news();

private:
    std::filesystem::path path_;
    std::ifstream in_;
};

class Watch {
public:
    Watch(const BootRequest &request, const BootFiles &files);

    // What a saved machine had said before it was saved.
    void said_before(const nlohmann::ordered_json &hello, const std::vector<std::string> &console);
    // True once `reached` is, and then the machine goes on; else it has ended, or was made to.
    bool follow(Child &emulator, const std::function<bool()> &reached = {});
    // What it came to. `log` is what the emulator said on its standard error.
    BootResult result(const std::filesystem::path &log);

private:
    bool ended() const;
    void check_truth();
    void take_news();
    void take_console_line();

    const BootRequest &request_;
    const std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
    GrowingFile console_, channel_;
    std::string console_line_;
    BootEvidence evidence_;
};

} // namespace schedlab
