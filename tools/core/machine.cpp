// SPDX-License-Identifier: GPL-2.0-or-later
// Machine models are TOML; docs/machines.md describes the keys.
#include "core/machine.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <limits>
#include <set>

#define TOML_ENABLE_FORMATTERS 0
#include <toml++/toml.h>

#include "core/error.h"

namespace schedlab {

namespace {

// Set by boot/ for every machine; a model that also set one would silently win or lose.
constexpr std::array reserved_qemu_options = {
    "-accel",   "-action", "-append", "-chardev", "-display",   "-dtb",       "-enable-kvm", "-fw_cfg", "-icount",
    "-incoming", "-initrd", "-kernel", "-m",       "-mon",       "-monitor",   "-no-reboot",  "-nographic", "-qmp",
    "-rtc",     "-seed",   "-serial"};

std::vector<std::string> split(std::string_view text, char separator) {
    std::vector<std::string> pieces;
    for (std::size_t at = 0; at <= text.size();) {
        const std::size_t end = std::min(text.find(separator, at), text.size());
        if (end > at)
            pieces.emplace_back(text.substr(at, end - at));
        at = end + 1;
    }
    return pieces;
}

// A table of the model whose keys are asked for by name and type; finish() refuses those nobody asked for.
class Section {
public:
    Section(const toml::table &table, std::string where, const std::string &origin)
        : table_(table), where_(std::move(where)), origin_(origin) {}

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

// "-smp 8,sockets=1" → "-smp", "8,sockets=1"
std::vector<std::string> parse_qemu_args(Section &section) {
    std::vector<std::string> args;
    for (const std::string &text : section.texts("qemu")) {
        const std::size_t blank = text.find(' ');
        const std::string option = text.substr(0, blank);
        if (!option.starts_with('-'))
            section.refuse("qemu", fmt::format("holds '{}', which is no option of QEMU", text));
        if (std::ranges::find(reserved_qemu_options, option) != reserved_qemu_options.end())
            section.refuse("qemu", fmt::format("holds {}, which schedlab sets itself", option));
        args.push_back(option);
        if (blank != text.npos)
            args.push_back(text.substr(text.find_first_not_of(' ', blank)));
    }
    if (args.empty())
        section.refuse("qemu", "names no QEMU options: at least -M, -cpu and -smp are needed");
    return args;
}

ExpectedDomain parse_domain(Section section, int cpus) {
    ExpectedDomain domain;
    domain.names = split(section.text("name"), '|');
    if (domain.names.empty())
        section.refuse("name", "is empty");
    domain.spans = section.spans("spans", cpus);
    if (domain.spans.empty())
        section.refuse("spans", "is missing");
    for (const std::string &flag : section.texts("flags"))
        domain.flags.push_back(split(flag, '|'));
    for (const std::string &flag : section.texts("absent-flags"))
        domain.absent_flags.push_back(split(flag, '|'));
    section.finish();
    return domain;
}

void parse_device_tree(Section section, Machine &machine) {
    if (machine.arch != "arm64")
        section.refuse("capacity-dmips-mhz", fmt::format("needs a device tree; {} machines have none", machine.arch));
    machine.capacities = section.per_cpus("capacity-dmips-mhz", machine.cpus);
    for (int level : {2, 3})
        for (CpuSet &cpus : section.disjoint_sets(fmt::format("l{}", level), machine.cpus))
            machine.caches.push_back({level, std::move(cpus)});
    section.finish();
}

} // namespace

Machine parse_machine(const std::string &text, const std::string &name, const std::string &origin) {
    toml::table table;
    try {
        table = toml::parse(text);
    } catch (const toml::parse_error &e) {
        throw usage_error(fmt::format("{}:{}: {}", origin, e.source().begin.line, e.description()),
                          "a machine model is a TOML file (docs/machines.md)");
    }
    Section section(table, "", origin);
    Machine machine;
    machine.name = name;
    machine.summary = section.text("summary");
    machine.arch = section.text("arch");
    if (machine.arch != "arm64" && machine.arch != "x86_64")
        section.refuse("arch", fmt::format("is '{}'; it can be arm64 or x86_64", machine.arch));
    machine.cpus = section.integer("cpus", 1, 512);
    machine.memory_mib = section.integer("memory", 64, 1 << 20);
    machine.qemu_args = parse_qemu_args(section);
    machine.command_line = section.text_or("command-line", "");
    const auto expected = section.per_cpus("cpu-capacity", machine.cpus);
    if (!expected.empty()) {
        machine.cpu_capacity.assign(machine.cpus, 0);
        for (const CapacityEdit &group : expected)
            for (int cpu : group.cpus)
                machine.cpu_capacity[cpu] = group.dmips_mhz;
        for (int cpu = 0; cpu < machine.cpus; ++cpu)
            if (machine.cpu_capacity[cpu] == 0)
                section.refuse("cpu-capacity", fmt::format("says nothing of CPU {}", cpu));
    }
    if (const toml::node *node = section.get("device-tree")) {
        if (!node->is_table())
            section.refuse("device-tree", "is not a table");
        parse_device_tree(Section(*node->as_table(), "device-tree.", origin), machine);
    }
    if (const toml::node *node = section.get("domain")) {
        if (!node->is_array_of_tables())
            section.refuse("domain", "is not a list of tables: write [[domain]], lowest level first");
        for (const toml::node &domain : *node->as_array())
            machine.domains.push_back(parse_domain(Section(*domain.as_table(), "domain.", origin), machine.cpus));
    }
    section.finish();
    return machine;
}

} // namespace schedlab
