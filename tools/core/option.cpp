// SPDX-License-Identifier: GPL-2.0-or-later
#include "core/option.h"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/cpulist.h"
#include "core/error.h"
#include "core/json_object.h"
#include "core/nearest.h"
#include "core/place.h"

namespace schedlab {

using Json = nlohmann::ordered_json;

namespace {

std::string flag_of(const Option &option) { return "--" + option.name; }

// `spelled` as the user wrote it ("--lops", "-x"), `name` without its dashes.
Error unknown_option(std::span<const Option> declared, std::string_view spelled, std::string_view name,
                     std::string_view context) {
    std::vector<std::string> names;
    for (const Option &option : declared)
        names.push_back(option.name);
    const std::string guess = nearest(name, names);
    std::string remedy = names.empty()    ? "it takes no options"
                         : !guess.empty() ? "did you mean --" + guess + "?"
                                          : fmt::format("it takes --{}", fmt::join(names, ", --"));
    return usage_error(fmt::format("{}: unknown option '{}'", context, spelled), std::move(remedy));
}

std::string range_of(const Option &option) {
    return option.max == INT64_MAX ? fmt::format("of at least {}", option.min)
                                   : fmt::format("from {} to {}", option.min, option.max);
}

[[noreturn]] void refuse(const Option &option, const std::string &value, std::string_view context,
                         std::string_view why = {}) {
    std::string wanted;
    switch (option.type) {
    case OptionType::flag: wanted = "true or false"; break;
    case OptionType::integer: wanted = "an integer " + range_of(option); break;
    case OptionType::text: wanted = "a text"; break;
    case OptionType::cpulist: wanted = "a CPU list like 0-3,8"; break;
    case OptionType::place: wanted = "CPUs like 0-3,8, node:0, llc:1, cluster:2 or big"; break;
    }
    throw usage_error(fmt::format("{}: {} takes {}, not {}{}{}", context, flag_of(option), wanted, value,
                                  why.empty() ? "" : ": ", why));
}

Json from_text(const Option &option, const std::string &text, std::string_view context) {
    if (option.type != OptionType::integer)
        return text;
    std::int64_t value = 0;
    const auto [end, err] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (err != std::errc() || end != text.data() + text.size())
        refuse(option, "'" + text + "'", context);
    return value;
}

// The value as it is kept, or a usage error. The default is always allowed, also outside the range: it may
// stand for "not set".
Json checked(const Option &option, const Json &value, std::string_view context) {
    if (value == option.fallback)
        return option.fallback;
    switch (option.type) {
    case OptionType::flag:
        if (value.is_boolean())
            return value;
        break;
    case OptionType::integer: {
        const auto number = as_integer(value);
        if (number && *number >= option.min && *number <= option.max)
            return value;
        break;
    }
    case OptionType::text:
        if (value.is_string())
            return value;
        break;
    case OptionType::cpulist:
        if (!value.is_string())
            break;
        try {
            return CpuSet::parse_list(value.get<std::string>()).to_list();
        } catch (const Error &e) {
            refuse(option, quoted_json(value), context, e.what());
        }
    case OptionType::place:
        if (!value.is_string())
            break;
        try {
            check_place(value.get<std::string>());
            return value;
        } catch (const Error &e) {
            refuse(option, quoted_json(value), context, e.what());
        }
    }
    refuse(option, quoted_json(value), context);
}

struct Spelling {
    const Option *option;
    std::optional<std::string> value; // attached: "--loops=5", "-l5"
};

Spelling read_spelling(std::span<const Option> declared, const std::string &arg, std::string_view context) {
    const bool is_long = arg.starts_with("--");
    if (arg.size() < (is_long ? 3 : 2) || arg[0] != '-')
        throw usage_error(fmt::format("{}: unexpected argument '{}'", context, arg));
    const auto equals = is_long ? arg.find('=') : arg.npos;
    const std::string name = is_long ? arg.substr(0, equals).substr(2) : arg.substr(1, 1);
    const auto option = std::find_if(declared.begin(), declared.end(), [&](const Option &o) {
        return is_long ? o.name == name : o.letter == name[0];
    });
    if (option == declared.end())
        throw unknown_option(declared, is_long ? "--" + name : "-" + name, name, context);
    if (is_long && equals != arg.npos)
        return {&*option, arg.substr(equals + 1)};
    if (!is_long && arg.size() > 2)
        return {&*option, arg.substr(2)};
    return {&*option, std::nullopt};
}

} // namespace

Json parse_options(std::span<const Option> declared, std::span<const std::string> args,
                   std::string_view context) {
    Json given = Json::object();
    for (std::size_t i = 0; i < args.size(); ++i) {
        const Spelling found = read_spelling(declared, args[i], context);
        const Option &option = *found.option;
        if (option.type == OptionType::flag) {
            if (found.value)
                throw usage_error(fmt::format("{}: {} takes no value", context, flag_of(option)));
            given[option.name] = true;
        } else if (found.value) {
            given[option.name] = from_text(option, *found.value, context);
        } else {
            if (++i == args.size())
                throw usage_error(fmt::format("{}: {} needs a value", context, flag_of(option)));
            given[option.name] = from_text(option, args[i], context);
        }
    }
    return complete_options(declared, given, context);
}

Json complete_options(std::span<const Option> declared, const Json &given, std::string_view context) {
    if (!given.is_object() && !given.is_null())
        throw usage_error(
            fmt::format("{}: options must be a JSON object, not {}", context, quoted_json(given)));
    for (const auto &item : given.items()) {
        const std::string &name = item.key();
        if (std::none_of(declared.begin(), declared.end(), [&](const Option &o) { return o.name == name; }))
            throw unknown_option(declared, name, name, context);
    }
    Json complete = Json::object();
    for (const Option &option : declared)
        complete[option.name] =
            given.contains(option.name) ? checked(option, given[option.name], context) : option.fallback;
    return complete;
}

std::string option_help(std::span<const Option> declared) {
    std::vector<std::string> spellings;
    std::size_t width = 0;
    for (const Option &option : declared) {
        constexpr std::string_view values[] = {"", " N", " TEXT", " CPUS", " CPUS"}; // by OptionType
        spellings.push_back(fmt::format("{}{}{}", option.letter ? fmt::format("-{}, ", option.letter) : "    ",
                                        flag_of(option), values[int(option.type)]));
        width = std::max(width, spellings.back().size());
    }
    std::string help;
    for (std::size_t i = 0; i < declared.size(); ++i) {
        const Json &fallback = declared[i].fallback;
        const bool telling = !fallback.is_null() && !fallback.is_boolean() && fallback != "";
        const std::string value = fallback.is_string() ? fallback.get<std::string>() : fallback.dump();
        help += fmt::format("  {:<{}}  {}{}\n", spellings[i], width, declared[i].help,
                            telling ? fmt::format(" (default {})", value) : "");
    }
    return help;
}

} // namespace schedlab
