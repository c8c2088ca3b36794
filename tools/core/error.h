// SPDX-License-Identifier: GPL-2.0-or-later
// The one exception schedlab throws on purpose: a line for the user and the exit code it means.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

namespace schedlab {

// Exit codes of every schedlab program (docs/architecture.md, "Exit codes").
enum class Exit : int {
    ok = 0,           // done
    failed = 1,       // the measured thing failed, or a verdict is "worse" under --gate
    usage = 2,        // the command line or an input file asks for something that cannot be
    environment = 3,  // this machine lacks something: root, a package, disk, a kernel option
    interrupted = 130 // SIGINT or SIGTERM
};

// `what()` is one line: what was tried, on what, and why it failed. `remedy` is what to do about it;
// it may be empty. main() prints "schedlab: WHAT" and, where there is one, "  REMEDY" under it.
class Error : public std::runtime_error {
public:
    Error(Exit code, const std::string &what, std::string remedy = {})
        : std::runtime_error(what), code_(code), remedy_(std::move(remedy)) {}

    Exit code() const { return code_; }
    const std::string &remedy() const { return remedy_; }

private:
    Exit code_;
    std::string remedy_;
};

// Shorthands, one per exit code. `errno_text` says an errno in words: "No such file or directory".
Error usage_error(const std::string &what, std::string remedy = {});
Error environment_error(const std::string &what, std::string remedy = {});
Error run_error(const std::string &what, std::string remedy = {});
std::string errno_text(int err);


} // namespace schedlab
