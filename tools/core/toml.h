// SPDX-License-Identifier: GPL-2.0-or-later
// toml++, set up alike wherever it is used.
#pragma once

#define TOML_ENABLE_FORMATTERS 0
// toml++ 3.3 asserts that a key follows '[', and then looks whether one does: without the assertion a broken file is an
// error that names its line, not the end of the program.
#define TOML_ASSERT(condition) static_assert(true)
#include <toml++/toml.h>
