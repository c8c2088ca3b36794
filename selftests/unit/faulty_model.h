// SPDX-License-Identifier: GPL-2.0-or-later
// Machine models with a fault put in, and what is said of them.
#pragma once

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <string>

#include "core/error.h"
#include "core/machine.h"

namespace schedlab::test {

inline std::string replaced(std::string text, const std::string &from, const std::string &to) {
    const std::size_t at = text.find(from);
    REQUIRE(at != std::string::npos);
    return text.replace(at, from.size(), to);
}

// The complaint about a faulty model; each is a usage error that names the file.
inline std::string complaint(const std::string &text) {
    try {
        parse_machine(text, "m", "m.conf");
    } catch (const Error &e) {
        CHECK(e.code() == Exit::usage);
        CHECK_THAT(e.what(), Catch::Matchers::ContainsSubstring("m.conf:"));
        return e.what();
    }
    return "no complaint";
}

} // namespace schedlab::test
