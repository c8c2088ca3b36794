// SPDX-License-Identifier: GPL-2.0-or-later
// Reads members of JSON that another program wrote. Every wrong shape is a usage error that names the
// place: "record.metrics[2]: 'value' is missing", "job: 'seed' must be an integer of at least 0, not \"x\"".
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/error.h"

namespace schedlab {

// Refers to the value it was made from, which must outlive it.
class JsonObject {
public:
    // `where` names the object in errors. Throws unless `value` is an object.
    JsonObject(const nlohmann::ordered_json &value, std::string where);

    // Members; each throws when it is missing or of another type.
    const nlohmann::ordered_json &member(std::string_view key) const;
    bool flag(std::string_view key) const;
    std::int64_t integer(std::string_view key, std::int64_t min, std::int64_t max) const;
    std::uint64_t count(std::string_view key) const;
    double number(std::string_view key) const;
    std::string text(std::string_view key) const;
    // A string that `parse` turns into something else; its complaint is prefixed with the place.
    template <class Parse> auto parsed(std::string_view key, Parse parse) const {
        const std::string value = text(key);
        try {
            return parse(value);
        } catch (const Error &e) {
            refuse(key, std::string("is wrong: ") + e.what());
        }
    }
    std::vector<std::string> texts(std::string_view key) const;
    std::vector<std::uint64_t> counts(std::string_view key) const;
    JsonObject object(std::string_view key) const;
    std::vector<JsonObject> objects(std::string_view key) const;
    std::vector<std::string> keys() const;

    // An array of objects that is no member of one.
    static std::vector<JsonObject> objects_of(const nlohmann::ordered_json &array, const std::string &where);

    // A usage error about a member: "where: 'key' COMPLAINT".
    [[noreturn]] void refuse(std::string_view key, const std::string &complaint) const;

private:
    const nlohmann::ordered_json &expect(std::string_view key, bool fits, const char *type) const;

    const nlohmann::ordered_json *value_;
    std::string where_;
};

// The value if it is an integer, not a fraction, and fits.
std::optional<std::int64_t> as_integer(const nlohmann::ordered_json &value);

// A value as errors quote it: its JSON text, shortened.
std::string quoted_json(const nlohmann::ordered_json &value);

// Whole numbers are written without a fraction, others with the fewest digits that read back the same.
// Throws a run error for infinities and NaN, which JSON lacks.
nlohmann::ordered_json json_number(double value);

} // namespace schedlab
