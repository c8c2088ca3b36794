// SPDX-License-Identifier: GPL-2.0-or-later
// An option is declared once (type, range, default, help); parsing, help, JSON and completion derive from it.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace schedlab {

// A cpulist is "0-3,8"; a place may also name CPUs by where they are: "node:0", "big" (core/place.h).
enum class OptionType { flag, integer, text, cpulist, place };

struct Option {
    std::string name;              // "loops": --loops on a command line, "loops" in JSON
    char letter = 0;               // 'l': -l; 0 if there is none
    OptionType type = OptionType::integer;
    nlohmann::ordered_json fallback; // value when it is not given: bool, integer or string; null: none
    std::int64_t min = 0, max = INT64_MAX; // integers only, inclusive
    std::string help;              // one line, with the unit
};

// Options of `declared` found in `args` ("--loops 5", "--loops=5", "-l 5", flags), with defaults filled
// in, as one JSON object in declaration order. Throws a usage error that names the option, the value
// and the range or the nearest declared name. `context` is named in the message ("load pipe").
nlohmann::ordered_json parse_options(std::span<const Option> declared, std::span<const std::string> args,
                                     std::string_view context);

// Checks a JSON object as parse_options would and fills in defaults.
nlohmann::ordered_json complete_options(std::span<const Option> declared, const nlohmann::ordered_json &given,
                                        std::string_view context);

std::string option_help(std::span<const Option> declared); // aligned, one line per option

} // namespace schedlab
