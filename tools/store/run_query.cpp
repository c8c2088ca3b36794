// SPDX-License-Identifier: GPL-2.0-or-later
#include "store/run_query.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <fmt/format.h>

#include "core/error.h"

namespace schedlab {

namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

std::int64_t parse_id(std::string_view text, const std::string &whole) {
    std::int64_t id = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), id);
    if (error != std::errc() || end != text.data() + text.size() || id < 1)
        throw usage_error(fmt::format("runs '{}': '{}' is no run's number", whole, text),
                          "numbers as 'schedlab runs list' shows them, 12-20,31, or a tag");
    return id;
}

} // namespace

bool RunQuery::narrowed() const {
    return !ids.empty() || !tag.empty() || !machine.empty() || !load.empty() || !ended.empty();
}

RunQuery parse_run_query(const std::string &text) {
    RunQuery query;
    if (text.empty() || !is_digit(text[0])) {
        check_tag(text);
        query.tag = text;
        return query;
    }
    for (std::size_t at = 0; at <= text.size();) {
        const std::size_t comma = std::min(text.find(',', at), text.size());
        const std::string_view part = std::string_view(text).substr(at, comma - at);
        const std::size_t dash = part.find('-');
        const std::int64_t first = parse_id(part.substr(0, dash), text);
        const std::int64_t last = dash == part.npos ? first : parse_id(part.substr(dash + 1), text);
        if (last < first)
            throw usage_error(fmt::format("runs '{}': {}-{} runs backwards", text, first, last));
        query.ids.emplace_back(first, last);
        at = comma + 1;
    }
    return query;
}

void check_tag(std::string_view name) {
    const bool good = !name.empty() && !is_digit(name[0]) && name[0] != '-' &&
                      std::ranges::all_of(name, [](unsigned char c) {
                          return std::isalnum(c) || std::string_view("._/+-").find(char(c)) != std::string_view::npos;
                      });
    if (!good)
        throw usage_error(fmt::format("'{}' is no tag", name),
                          "a tag is made of letters, digits and . _ / + -, and begins with none of 0-9 and -");
}

} // namespace schedlab
