// SPDX-License-Identifier: GPL-2.0-or-later
#include "lab/load_arguments.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <functional>

#include "core/error.h"
#include "core/nearest.h"
#include "core/toml.h"
#include "sys/files.h"
#include "sys/places.h"

namespace schedlab {

namespace fs = std::filesystem;

namespace {

using Arguments = std::vector<std::string>;
using Json = nlohmann::ordered_json;

[[noreturn]] void refuse(const fs::path &file, const toml::source_region &where, std::string_view why,
                         const std::string &remedy = {}) {
    throw usage_error(fmt::format("{}:{}: {}", file.string(), where.begin.line, why), remedy);
}

toml::table read_table(const fs::path &file) {
    if (!fs::exists(file))
        throw usage_error(fmt::format("'{}': {}", file.string(), errno_text(ENOENT)));
    try {
        return toml::parse(read_file(file), file.string());
    } catch (const toml::parse_error &e) {
        refuse(file, e.source(), e.description());
    }
}

// What the command line would say, for the keys that are wanted: "--layout 3500", "--threaded".
Arguments arguments_of(const toml::table &table, const fs::path &file,
                       const std::function<bool(std::string_view)> &wanted) {
    Arguments arguments;
    for (const auto &[key, value] : table) {
        if (!wanted(key.str()))
            continue;
        const std::string option = fmt::format("--{}", key.str());
        if (const auto *number = value.as_integer())
            arguments.insert(arguments.end(), {option, std::to_string(number->get())});
        else if (const auto *text = value.as_string())
            arguments.insert(arguments.end(), {option, text->get()});
        else if (const auto *flag = value.as_boolean()) {
            if (flag->get())
                arguments.push_back(option);
        } else
            refuse(file, value.source(), fmt::format("'{}' is no number, no text and no flag", key.str()));
    }
    return arguments;
}

// The value of --NAME that counts, the last; where it stands, so that it can be replaced.
std::string *find_value(Arguments &arguments, const std::string &name, char letter) {
    std::string *found = nullptr;
    for (std::size_t i = 0; i + 1 < arguments.size(); ++i)
        if (arguments[i] == "--" + name || (letter && arguments[i] == std::string("-") + letter))
            found = &arguments[i + 1];
    return found;
}

// "--NAME=VALUE" as two words.
void split_equals(Arguments &arguments, const std::string &name) {
    const std::string start = "--" + name + "=";
    for (auto at = arguments.begin(); at != arguments.end(); ++at)
        if (at->starts_with(start)) {
            const std::string value = at->substr(start.size());
            *at = "--" + name;
            at = arguments.insert(at + 1, value);
        }
}

fs::path test_file(const std::string &name) {
    if (name.find('/') != name.npos || name.ends_with(".conf"))
        return name;
    std::vector<std::string> names;
    for (const fs::directory_entry &entry : fs::directory_iterator(data_root() / "tools/frames"))
        if (entry.path().extension() == ".conf")
            names.push_back(entry.path().stem());
    std::ranges::sort(names);
    if (std::ranges::find(names, name) != names.end())
        return data_root() / "tools/frames" / (name + ".conf");
    const std::string guess = nearest(name, names);
    throw usage_error(fmt::format("load frames: no test '{}'", name),
                      guess.empty() ? fmt::format("tests: {}", fmt::join(names, ", "))
                                    : "did you mean " + guess + "?");
}

Arguments expand_frames(const Load &load, Arguments arguments) {
    split_equals(arguments, "test");
    const std::string *given = find_value(arguments, "test", 't');
    const fs::path file = test_file(given ? *given : load.options[0].fallback.get<std::string>());
    Arguments all = arguments_of(read_table(file), file, [](std::string_view) { return true; });
    try {
        parse_options(load.options, all, "load frames");
    } catch (const Error &e) {
        throw usage_error(fmt::format("{}: {}", file.string(), e.what()), e.remedy());
    }
    all.insert(all.end(), arguments.begin(), arguments.end());
    return all;
}

struct Section {
    std::string name;
    const toml::table *table;
};

// In the order in which they stand in the file.
std::vector<Section> sections_of(const toml::table &job, const fs::path &file) {
    std::vector<Section> sections;
    for (const auto &[key, value] : job) {
        if (!value.is_table())
            refuse(file, value.source(), fmt::format("'{}' stands outside a section", key.str()),
                   "options of all loads belong under [global]");
        sections.push_back({std::string(key.str()), value.as_table()});
    }
    std::ranges::sort(sections, {}, [](const Section &s) { return s.table->source().begin.line; });
    return sections;
}

// [global]'s options that `load` has, then its own; each of them counts as used.
Arguments section_arguments(const Load &load, const toml::table &global, const toml::table &own,
                            const fs::path &file, std::vector<std::string> &used) {
    Arguments arguments = arguments_of(global, file, [&](std::string_view key) {
        const bool known = std::ranges::find(load.options, key, &Option::name) != load.options.end();
        if (known)
            used.emplace_back(key);
        return known && !own.contains(key); // a flag that is false here must not be set there
    });
    const Arguments rest = arguments_of(own, file, [](std::string_view key) { return key != "load"; });
    arguments.insert(arguments.end(), rest.begin(), rest.end());
    return arguments;
}

// Errors of `act` get the section's place.
template <class Act> auto in_section(const Section &section, const fs::path &file, Act act) {
    try {
        return act();
    } catch (const Error &e) {
        refuse(file, section.table->source(), fmt::format("[{}] {}", section.name, e.what()), e.remedy());
    }
}

Json read_job(const fs::path &file) {
    const toml::table job = read_table(file);
    const std::vector<Section> sections = sections_of(job, file);
    static const toml::table nothing;
    const auto global = std::ranges::find(sections, "global", &Section::name);
    const toml::table &common = global == sections.end() ? nothing : *global->table;
    Json loads = Json::array();
    std::vector<std::string> used;
    for (const Section &section : sections) {
        if (section.name == "global")
            continue;
        const std::string load_name = (*section.table)["load"].value_or(section.name);
        const Load *load = in_section(section, file, [&] { return &find_load(load_name); });
        const Arguments own = section_arguments(*load, common, *section.table, file, used);
        const Json options = in_section(section, file, [&] {
            if (load->name == "mix")
                throw usage_error("a mix in a mix");
            return parse_options(load->options, expand_arguments(*load, own), "load " + load_name);
        });
        loads.push_back({{"name", section.name}, {"load", load_name}, {"options", options}});
    }
    for (const auto &[key, value] : common)
        if (std::ranges::find(used, key.str()) == used.end())
            refuse(file, value.source(), fmt::format("[global] no load here has an option '{}'", key.str()));
    if (loads.empty())
        throw usage_error(fmt::format("{}: no load in it", file.string()), "a section per load: [pipe]");
    return loads;
}

Arguments expand_mix(const Load &, Arguments arguments) {
    split_equals(arguments, "job");
    if (std::string *file = find_value(arguments, "job", 'j'))
        *file = read_job(*file).dump();
    return arguments;
}

} // namespace

Arguments expand_arguments(const Load &load, const Arguments &given) {
    Arguments arguments = expand_presets(load, given);
    if (load.name == "frames")
        return expand_frames(load, std::move(arguments));
    if (load.name == "mix")
        return expand_mix(load, std::move(arguments));
    return arguments;
}

} // namespace schedlab
