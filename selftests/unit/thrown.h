// SPDX-License-Identifier: GPL-2.0-or-later
// What a call throws, for tests that look at the message, the exit code or the remedy.
#pragma once

#include <catch2/catch_test_macros.hpp>

#include "core/error.h"

namespace schedlab::test {

// The Error that `call` throws; a failed test if it throws none.
template <class Call> Error thrown(Call &&call) {
    try {
        call();
    } catch (const Error &e) {
        return e;
    }
    FAIL("nothing was thrown");
    return {Exit::ok, ""};
}

inline bool says(const Error &error, const std::string &text) {
    INFO(error.what());
    return std::string(error.what()).find(text) != std::string::npos;
}

} // namespace schedlab::test
