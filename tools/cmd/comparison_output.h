// SPDX-License-Identifier: GPL-2.0-or-later
// What every command does with a comparison it has made.
#pragma once

#include <string>

#include "cmd/command_line.h"
#include "report/comparison.h"
#include "store/store.h"

namespace schedlab {

struct ComparisonOutput {
    std::string format = "text"; // of stdout
    std::string json;            // a file that also gets the JSON; "-": stdout gets it instead
    bool gate = false;

    void add_options(CLI::App &app); // --format, --json, --gate
    void check() const;              // throws a usage error
    // Prints and writes it → the exit code.
    int write(const ComparisonReport &report) const;
    // Keeps it first, as what `command` asked for; where that cannot be, stderr says so.
    int keep_and_write(ComparisonReport report, Store &store, const std::string &command) const;
};

} // namespace schedlab
