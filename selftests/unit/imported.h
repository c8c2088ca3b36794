// SPDX-License-Identifier: GPL-2.0-or-later
// What tests of imported logs ask.
#pragma once

#include <catch2/catch_test_macros.hpp>
#include <sstream>
#include <string>

#include "import/import.h"
#include "sys/files.h"

namespace schedlab::test {

inline Imported read(const std::string &text) {
    std::istringstream in(text);
    return import_log(in, "log");
}

inline Imported read_as_file(const std::string &text) {
    const TempDir dir("import-test");
    write_file_atomically(dir.path() / "log", text);
    return import_file(dir.path() / "log");
}

inline double value(const Imported &log, const std::string &metric, std::size_t result = 0) {
    INFO(metric);
    REQUIRE(result < log.results.size());
    const Metric *found = log.results[result].record.find(metric);
    REQUIRE(found);
    return found->value;
}

inline bool warns(const Imported &log, const std::string &text) {
    for (const std::string &warning : log.results.at(0).record.warnings)
        if (warning.find(text) != warning.npos)
            return true;
    return false;
}

} // namespace schedlab::test
