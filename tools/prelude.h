// SPDX-License-Identifier: GPL-2.0-or-later
// What nearly every file includes and what takes long to parse, compiled once per architecture (Makefile). Each file
// still includes what it uses: none depends on this one.
#ifndef SCHEDLAB_PRELUDE_H
#define SCHEDLAB_PRELUDE_H

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#endif
