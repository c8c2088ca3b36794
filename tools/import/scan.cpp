// SPDX-License-Identifier: GPL-2.0-or-later
#include "import/scan.h"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>

#include "core/magnitude.h"

namespace schedlab {

namespace {

constexpr std::string_view blanks = " \t\r";

// "1,234,567", or "12,34,567" as India groups. A decimal comma is none of these: "1,5" must not become 15.
bool commas_group(std::string_view text) {
    const std::size_t last = text.rfind(',');
    if (last == text.npos)
        return true;
    const std::vector<std::string_view> groups = fields_of(text.substr(0, last), ',');
    const std::string_view units = text.substr(last + 1);
    return std::min(units.find('.'), units.size()) == 3 && !groups[0].empty() &&
           std::ranges::all_of(groups.begin() + 1, groups.end(), [](std::string_view g) { return g.size() == 2 || g.size() == 3; });
}

} // namespace

std::string_view trimmed(std::string_view text) {
    const std::size_t first = text.find_first_not_of(blanks);
    return first == text.npos ? std::string_view() : text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

std::vector<std::string_view> words_of(std::string_view line) {
    std::vector<std::string_view> words;
    for (std::size_t at = line.find_first_not_of(blanks); at != line.npos;) {
        const std::size_t end = std::min(line.find_first_of(blanks, at), line.size());
        words.push_back(line.substr(at, end - at));
        at = line.find_first_not_of(blanks, end);
    }
    return words;
}

std::vector<std::string_view> fields_of(std::string_view line, char separator) {
    std::vector<std::string_view> fields;
    for (std::size_t at = 0; at <= line.size();) {
        const std::size_t end = std::min(line.find(separator, at), line.size());
        fields.push_back(line.substr(at, end - at));
        at = end + 1;
    }
    return fields;
}

std::optional<double> number_in(std::string_view text) {
    if (!commas_group(text))
        return std::nullopt;
    std::string digits(text);
    std::erase(digits, ',');
    double value = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (error != std::errc() || end != digits.data() + digits.size() || digits.empty() || !is_measurable(value))
        return std::nullopt;
    return value;
}

std::optional<double> number_after(std::string_view line, std::string_view before) {
    const std::size_t at = line.find(before);
    if (at == line.npos)
        return std::nullopt;
    const std::string_view rest = trimmed(line.substr(at + before.size()));
    return number_in(rest.substr(0, rest.find_first_not_of("+-.0123456789e,")));
}

std::int64_t whole(double number) {
    constexpr double most = 9007199254740992.0;
    return std::int64_t(std::clamp(number, -most, most));
}

std::optional<std::string_view> rest_after(std::string_view line, std::string_view prefix) {
    return line.starts_with(prefix) ? std::optional(line.substr(prefix.size())) : std::nullopt;
}

std::string percent_name(double percent) { return fmt::format("{:g}", percent); }

} // namespace schedlab
