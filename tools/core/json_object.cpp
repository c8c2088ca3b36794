// SPDX-License-Identifier: GPL-2.0-or-later
#include "core/json_object.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace schedlab {

using Json = nlohmann::ordered_json;

namespace {

// A number with a fraction or an exponent is none: conversion of what does not fit is undefined.
bool is_count(const Json &value) { return value.is_number_unsigned() || as_integer(value).value_or(-1) >= 0; }

} // namespace

JsonObject::JsonObject(const Json &value, std::string where) : value_(&value), where_(std::move(where)) {
    if (!value.is_object())
        throw usage_error(fmt::format("{} must be a JSON object, not {}", where_, quoted_json(value)));
}

void JsonObject::refuse(std::string_view key, const std::string &complaint) const {
    throw usage_error(fmt::format("{}: '{}' {}", where_, key, complaint));
}

const Json &JsonObject::member(std::string_view key) const {
    const auto found = value_->find(std::string(key));
    if (found == value_->end())
        refuse(key, "is missing");
    return *found;
}

const Json &JsonObject::expect(std::string_view key, bool fits, const char *type) const {
    const Json &value = member(key);
    if (!fits)
        refuse(key, fmt::format("must be {}, not {}", type, quoted_json(value)));
    return value;
}

bool JsonObject::flag(std::string_view key) const {
    return expect(key, member(key).is_boolean(), "true or false").get<bool>();
}

std::int64_t JsonObject::integer(std::string_view key, std::int64_t min, std::int64_t max) const {
    const auto value = as_integer(member(key));
    if (!value || *value < min || *value > max)
        refuse(key, fmt::format("must be an integer from {} to {}, not {}", min, max, quoted_json(member(key))));
    return *value;
}

std::uint64_t JsonObject::count(std::string_view key) const {
    return expect(key, is_count(member(key)), "an integer of at least 0").get<std::uint64_t>();
}

double JsonObject::number(std::string_view key) const {
    return expect(key, member(key).is_number(), "a number").get<double>();
}

std::string JsonObject::text(std::string_view key) const {
    return expect(key, member(key).is_string(), "a string").get<std::string>();
}

std::vector<std::string> JsonObject::texts(std::string_view key) const {
    const Json &value = expect(key, member(key).is_array(), "an array of strings");
    std::vector<std::string> texts;
    for (const Json &item : value) {
        expect(key, item.is_string(), "an array of strings");
        texts.push_back(item.get<std::string>());
    }
    return texts;
}

std::vector<std::uint64_t> JsonObject::counts(std::string_view key) const {
    const Json &value = member(key);
    return expect(key, value.is_array() && std::ranges::all_of(value, is_count), "an array of integers of at least 0")
        .get<std::vector<std::uint64_t>>();
}

JsonObject JsonObject::object(std::string_view key) const {
    return {member(key), fmt::format("{}.{}", where_, key)};
}

std::vector<JsonObject> JsonObject::objects(std::string_view key) const {
    return objects_of(member(key), fmt::format("{}.{}", where_, key));
}

std::vector<std::string> JsonObject::keys() const {
    std::vector<std::string> keys;
    for (const auto &item : value_->items())
        keys.push_back(item.key());
    return keys;
}

std::vector<JsonObject> JsonObject::objects_of(const Json &array, const std::string &where) {
    if (!array.is_array())
        throw usage_error(fmt::format("{} must be a JSON array, not {}", where, quoted_json(array)));
    std::vector<JsonObject> objects;
    for (std::size_t i = 0; i < array.size(); ++i)
        objects.emplace_back(array[i], fmt::format("{}[{}]", where, i));
    return objects;
}

std::optional<std::int64_t> as_integer(const Json &value) {
    const bool fits = value.is_number_unsigned() ? value.get<std::uint64_t>() <= std::uint64_t(INT64_MAX)
                                                 : value.is_number_integer();
    return fits ? std::optional(value.get<std::int64_t>()) : std::nullopt;
}

std::string quoted_json(const Json &value) {
    constexpr std::size_t longest = 60;
    std::string text = value.dump(-1, ' ', true, Json::error_handler_t::replace); // ASCII: cut anywhere
    if (text.size() > longest)
        text = text.substr(0, longest) + "...";
    return text;
}

Json json_number(double value) {
    if (!std::isfinite(value))
        throw run_error(fmt::format("{} cannot be recorded: not a finite number", value));
    constexpr double exact = 9007199254740992.0; // 2^53: up to here every integer is a double
    if (value == std::trunc(value) && std::abs(value) <= exact)
        return std::int64_t(value);
    return value;
}

} // namespace schedlab
