// SPDX-License-Identifier: GPL-2.0-or-later
// A table of a machine model's TOML file, read strictly: faults are usage errors that name file, line and key.
#pragma once

#include <algorithm>
#include <charconv>
#include <fmt/format.h>
#include <set>
#include <string>
#include <vector>

#include "core/error.h"
#include "core/machine.h"
#include "core/toml.h"

namespace schedlab {

// A table of the model whose keys are asked for by name and type; finish() refuses those nobody asked for.
class ModelSection {
public:
    ModelSection(const toml::table &table, std::string where, const std::string &origin)
        : table_(table), where_(std::move(where)), origin_(origin) {}

    // A table inside of this one.
    ModelSection below(const toml::table &table, const std::string &name) const {
        return ModelSection(table, where_ + name, origin_);
    }

    [[noreturn]] void refuse(const std::string &key, const std::string &what) const {
        const toml::node *node = table_.get(key);
        const auto line = (node ? *node : static_cast<const toml::node &>(table_)).source().begin.line;
        throw usage_error(fmt::format("{}:{}: '{}{}' {}", origin_, line, where_, key, what),
                          "docs/machines.md describes the keys of a machine model");
    }

    const toml::node *get(const std::string &key) {
        asked_.insert(key);
        return table_.get(key);
    }

    std::string text(const std::string &key) {
        const toml::node *node = get(key);
        if (!node || !node->is_string())
            refuse(key, node ? "is not a string" : "is missing");
        return **node->as_string();
    }

    std::string text_or(const std::string &key, std::string fallback) {
        return get(key) ? text(key) : std::move(fallback);
    }

    int integer(const std::string &key, int min, int max) {
        const toml::node *node = get(key);
        if (!node)
            refuse(key, "is missing");
        return integer_of(*node, key, min, max);
    }

    double number(const std::string &key, double min, double max) {
        const toml::node *node = get(key);
        const auto value = node ? node->value<double>() : std::nullopt;
        if (!value)
            refuse(key, node ? "is not a number" : "is missing");
        if (!(*value >= min && *value <= max))
            refuse(key, fmt::format("is {}, which is not within {} and {}", *value, min, max));
        return *value;
    }

    std::vector<std::string> texts(const std::string &key) {
        std::vector<std::string> result;
        const toml::node *node = get(key);
        if (!node)
            return result;
        if (!node->is_array())
            refuse(key, "is not an array of strings");
        for (const toml::node &element : *node->as_array()) {
            if (!element.is_string())
                refuse(key, "is not an array of strings");
            result.push_back(**element.as_string());
        }
        return result;
    }

    // CPU lists that are within the machine and share no CPU. "0-7/2" stands for "0-1", "2-3", "4-5", "6-7".
    std::vector<CpuSet> disjoint_sets(const std::string &key, int cpus) {
        std::vector<CpuSet> sets;
        for (const std::string &list : texts(key))
            for (CpuSet &set : cpu_groups(key, list, cpus))
                sets.push_back(std::move(set));
        refuse_repeats(key, sets);
        return sets;
    }

    // Disjoint CPU lists, each its own span; or, where spans overlap, { "CPUs that have it" = "span" }.
    std::vector<ExpectedSpan> spans(const std::string &key, int cpus) {
        std::vector<ExpectedSpan> result;
        const toml::node *node = get(key);
        if (!node || !node->is_table()) {
            for (const CpuSet &set : disjoint_sets(key, cpus))
                result.push_back({set, set});
            return result;
        }
        std::vector<CpuSet> holders;
        for (const auto &[list, span] : *node->as_table()) {
            if (!span.is_string())
                refuse(key, "is not a table of CPU lists and CPU lists");
            holders.push_back(cpu_set(key, std::string(list.str()), cpus));
            result.push_back({holders.back(), cpu_set(key, **span.as_string(), cpus)});
            for (int cpu : holders.back())
                if (!result.back().span.contains(cpu))
                    refuse(key, fmt::format("leaves CPU {} out of its own span", cpu));
        }
        refuse_repeats(key, holders);
        return result;
    }

    // { "0-3" = 462, "4-7" = 1024 }: each CPU in at most one list.
    std::vector<CapacityEdit> per_cpus(const std::string &key, int cpus) {
        std::vector<CapacityEdit> result;
        const toml::node *node = get(key);
        if (!node)
            return result;
        if (!node->is_table())
            refuse(key, "is not a table of CPU lists and numbers");
        std::vector<CpuSet> lists;
        for (const auto &[list, value] : *node->as_table()) {
            lists.push_back(cpu_set(key, std::string(list.str()), cpus));
            result.push_back({lists.back(), integer_of(value, key, 1, 1 << 20)});
        }
        refuse_repeats(key, lists);
        std::sort(result.begin(), result.end(),
                  [](const auto &a, const auto &b) { return a.cpus.first() < b.cpus.first(); });
        return result;
    }

    // Each of `parts` lies in one of `wholes`, or outside them all.
    void refuse_crossing(const std::string &key, const std::vector<CpuSet> &parts,
                         const std::vector<CpuSet> &wholes) const {
        for (const CpuSet &part : parts)
            for (const CpuSet &whole : wholes) {
                const auto shared = std::ranges::count_if(part, [&whole](int cpu) { return whole.contains(cpu); });
                if (shared > 0 && std::size_t(shared) < part.size())
                    refuse(key, fmt::format("has {}, which crosses the border of {}", part.to_list(), whole.to_list()));
            }
    }

    void finish() const {
        for (const auto &[key, value] : table_)
            if (!asked_.contains(std::string(key.str())))
                refuse(std::string(key.str()), "is not a key of a machine model");
    }

private:
    int integer_of(const toml::node &node, const std::string &key, int min, int max) const {
        if (!node.is_integer())
            refuse(key, "is not a whole number");
        const std::int64_t value = **node.as_integer();
        if (value < min || value > max)
            refuse(key, fmt::format("is {}, which is not within {} and {}", value, min, max));
        return int(value);
    }

    void refuse_repeats(const std::string &key, const std::vector<CpuSet> &sets) const {
        std::set<int> seen;
        for (const CpuSet &set : sets)
            for (int cpu : set)
                if (!seen.insert(cpu).second)
                    refuse(key, fmt::format("names CPU {} twice", cpu));
    }

    std::vector<CpuSet> cpu_groups(const std::string &key, const std::string &text, int cpus) const {
        const std::size_t slash = text.find('/');
        const CpuSet all = cpu_set(key, text.substr(0, slash), cpus);
        if (slash == text.npos)
            return {all};
        std::size_t size = 0;
        const char *end = text.data() + text.size();
        const auto [rest, error] = std::from_chars(text.data() + slash + 1, end, size);
        if (error != std::errc() || rest != end || size == 0 || all.size() % size != 0)
            refuse(key, fmt::format("holds '{}', which does not divide {} CPUs into groups", text, all.size()));
        std::vector<CpuSet> groups;
        for (auto cpu = all.begin(); cpu != all.end(); cpu += std::ptrdiff_t(size))
            groups.push_back(CpuSet(std::vector(cpu, cpu + std::ptrdiff_t(size))));
        return groups;
    }

    CpuSet cpu_set(const std::string &key, const std::string &list, int cpus) const {
        CpuSet set;
        try {
            set = CpuSet::parse_list(list);
        } catch (const Error &e) {
            refuse(key, fmt::format("is wrong: {}", e.what()));
        }
        if (set.empty())
            refuse(key, "has an empty CPU list");
        if (set.last() >= cpus)
            refuse(key, fmt::format("names CPU {}; the machine has {}", set.last(), cpus));
        return set;
    }

    const toml::table &table_;
    std::string where_; // "" or "domain."
    const std::string &origin_;
    std::set<std::string> asked_;
};

// [timing] (core/timing.cpp).
Timing parse_timing(ModelSection section, int cpus);

} // namespace schedlab
