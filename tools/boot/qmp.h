// SPDX-License-Identifier: GPL-2.0-or-later
// QEMU's control protocol (QMP), over a socket that the emulator inherits.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>

#include "sys/fd.h"

namespace schedlab {

// Every call throws a run error with QEMU's own words when QEMU refuses, and when it has gone away.
class Qmp {
public:
    Qmp();

    int emulators_end() const { return theirs_.get(); }
    // Once the emulator is started.
    void greet();

    bool stopped(); // has the machine stopped itself by now?
    void save(const std::filesystem::path &file);
    void load(const std::filesystem::path &file); // the machine stands still afterwards
    void go_on();

private:
    void use_mapped_ram();
    nlohmann::json command(const std::string &name, const nlohmann::json &arguments = nlohmann::json::object());
    nlohmann::json next();

    Fd ours_, theirs_;
    std::string heard_; // an unfinished line
    bool stopped_ = false;
};

} // namespace schedlab
