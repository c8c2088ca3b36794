// SPDX-License-Identifier: GPL-2.0-or-later
// Machine models are TOML; docs/machines.md describes the keys.
#include "core/machine.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>

#include "core/model_section.h"

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

// "-smp 8,sockets=1" → "-smp", "8,sockets=1"
std::vector<std::string> parse_qemu_args(ModelSection &section) {
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

ExpectedDomain parse_domain(ModelSection section, int cpus) {
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

void parse_cpu_map(ModelSection &section, Machine &machine) {
    CpuMap &map = machine.cpu_map;
    map.packages = section.disjoint_sets("packages", machine.cpus);
    map.clusters = section.disjoint_sets("clusters", machine.cpus);
    map.cores = section.disjoint_sets("cores", machine.cpus);
    std::size_t in_packages = 0;
    for (const CpuSet &package : map.packages)
        in_packages += package.size();
    if (map.packages.empty() && !(map.clusters.empty() && map.cores.empty()))
        section.refuse("packages", "is missing: clusters and cores are parts of packages");
    if (!map.packages.empty() && in_packages != std::size_t(machine.cpus))
        section.refuse("packages", fmt::format("names {} of {} CPUs", in_packages, machine.cpus));
    section.refuse_crossing("clusters", map.clusters, map.packages);
    section.refuse_crossing("cores", map.cores, map.clusters);
    section.refuse_crossing("cores", map.cores, map.packages);
}

void parse_device_tree(ModelSection section, Machine &machine) {
    if (machine.arch != "arm64")
        section.refuse("capacity-dmips-mhz", fmt::format("needs a device tree; {} machines have none", machine.arch));
    machine.capacities = section.per_cpus("capacity-dmips-mhz", machine.cpus);
    for (int level : {2, 3})
        for (CpuSet &cpus : section.disjoint_sets(fmt::format("l{}", level), machine.cpus))
            machine.caches.push_back({level, std::move(cpus)});
    parse_cpu_map(section, machine);
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
    ModelSection section(table, "", origin);
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
        parse_device_tree(ModelSection(*node->as_table(), "device-tree.", origin), machine);
    }
    if (const toml::node *node = section.get("domain")) {
        if (!node->is_array_of_tables())
            section.refuse("domain", "is not a list of tables: write [[domain]], lowest level first");
        for (const toml::node &domain : *node->as_array())
            machine.domains.push_back(parse_domain(ModelSection(*domain.as_table(), "domain.", origin), machine.cpus));
    }
    if (const toml::node *node = section.get("timing")) {
        if (!node->is_table())
            section.refuse("timing", "is not a table");
        machine.timing = parse_timing(ModelSection(*node->as_table(), "timing.", origin), machine.cpus);
    }
    section.finish();
    return machine;
}

} // namespace schedlab
