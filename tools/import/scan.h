// SPDX-License-Identifier: GPL-2.0-or-later
// Pieces of lines.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace schedlab {

std::string_view trimmed(std::string_view text);
std::vector<std::string_view> words_of(std::string_view line);              // between blanks and tabs
std::vector<std::string_view> fields_of(std::string_view line, char separator); // empty ones too

// The whole of `text` as a finite number, commas between thousands allowed ("1,234.5").
std::optional<double> number_in(std::string_view text);
// The number that follows `before`, after blanks; what stands behind it is not looked at. "Time: 1.5 s" → 1.5.
std::optional<double> number_after(std::string_view line, std::string_view before);
// A number as options hold it: cut to a whole one, at most 2^53 either way.
std::int64_t whole(double number);
// `line` behind `prefix`, if it begins with it.
std::optional<std::string_view> rest_after(std::string_view line, std::string_view prefix);
inline bool holds(std::string_view line, std::string_view part) { return line.find(part) != line.npos; }

// "50.0" → "50", "99.9" → "99.9": as percentiles are named.
std::string percent_name(double percent);

} // namespace schedlab
