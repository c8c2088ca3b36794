// SPDX-License-Identifier: GPL-2.0-or-later
#include "lab/differences.h"

#include <map>
#include <set>
#include <sstream>

namespace schedlab {

using Json = nlohmann::ordered_json;

namespace {

using Values = std::map<std::string, std::string>;

void flatten(const Json &json, const std::string &path, Values &values) {
    for (const auto &[name, value] : json.items())
        if (value.is_object())
            flatten(value, path + name + ".", values);
        else
            values[path + name] = value.is_string() ? value.get<std::string>() : value.dump();
}

std::vector<ReportedDifference> differences(const Values &a, const Values &b, const std::string &missing) {
    std::set<std::string> names;
    for (const Values *values : {&a, &b})
        for (const auto &[name, value] : *values)
            names.insert(name);
    const auto value_in = [&](const Values &values, const std::string &name) {
        const auto at = values.find(name);
        return at == values.end() ? missing : at->second;
    };
    std::vector<ReportedDifference> found;
    for (const std::string &name : names)
        if (ReportedDifference d{name, value_in(a, name), value_in(b, name)}; d.a != d.b)
            found.push_back(d);
    return found;
}

Values options_of(const std::string &config) {
    constexpr std::string_view unset_begin = "# CONFIG_", unset_end = " is not set";
    Values options;
    std::istringstream lines(config);
    for (std::string line; std::getline(lines, line);)
        if (const std::size_t equals = line.find('='); line.starts_with("CONFIG_") && equals != line.npos)
            options[line.substr(0, equals)] = line.substr(equals + 1);
        else if (line.starts_with(unset_begin) && line.ends_with(unset_end))
            options[line.substr(2, line.size() - 2 - unset_end.size())] = "n";
    return options;
}

} // namespace

Json environment_of(const StoredRun &run) {
    Json environment = run.environment;
    if (run.hello.is_object() && run.hello.contains("environment"))
        environment.update(run.hello.at("environment"));
    return environment;
}

std::vector<ReportedDifference> environment_differences(const Json &a, const Json &b) {
    Values in_a, in_b;
    flatten(a, "", in_a);
    flatten(b, "", in_b);
    for (Values *values : {&in_a, &in_b})
        for (const char *told_elsewhere : {"kernel", "configuration"}) // the arm's title, the configuration's differences
            values->erase(told_elsewhere);
    return differences(in_a, in_b, "");
}

std::vector<ReportedDifference> configuration_differences(const std::string &a, const std::string &b) {
    return a.empty() || b.empty() ? std::vector<ReportedDifference>() : differences(options_of(a), options_of(b), "n");
}

} // namespace schedlab
