// SPDX-License-Identifier: GPL-2.0-or-later
#include "sys/capture.h"

#include <algorithm>
#include <fmt/format.h>
#include <sstream>

#include "core/error.h"
#include "sys/files.h"
#include "sys/topology_reader.h"

namespace schedlab {

namespace fs = std::filesystem;

namespace {

// "model name" on x86-64; arm64's /proc/cpuinfo has no name, the device tree has.
std::string processor_name(const fs::path &root) {
    std::istringstream lines(read_file_or(root / "proc/cpuinfo"));
    for (std::string line; std::getline(lines, line);)
        if (line.starts_with("model name"))
            return line.substr(std::min(line.size(), line.find(':') + 2));
    const std::string model = read_file_or(root / "proc/device-tree/model");
    return model.substr(0, model.find('\0'));
}

// A node's "distance" lists those to all nodes that are online, in their order.
std::map<std::pair<int, int>, int> node_distances(const fs::path &nodes) {
    std::map<std::pair<int, int>, int> distances;
    const CpuSet online = CpuSet::parse_list(read_file_or(nodes / "online"));
    for (int from : online) {
        std::istringstream values(read_file_or(nodes / fmt::format("node{}/distance", from)));
        int value = 0;
        for (auto to = online.begin(); to != online.end() && values >> value; ++to)
            distances[{from, *to}] = value;
    }
    return distances;
}

} // namespace

CapturedMachine capture_machine(const fs::path &root) {
    const fs::path cpus = root / "sys/devices/system/cpu";
    CapturedMachine captured;
    captured.processor = processor_name(root);
    std::istringstream(read_file(root / "proc/sys/kernel/osrelease")) >> captured.release;
    captured.topology = read_topology(root);
    const CpuSet online = CpuSet::parse_list(read_file(cpus / "online"));
    std::erase_if(captured.topology.cpus, [&online](const CpuPlace &place) { return !online.contains(place.cpu); });
    for (const CpuPlace &place : captured.topology.cpus) {
        CpuSet package = CpuSet::parse_list(
            read_file_or(cpus / fmt::format("cpu{}/topology/core_siblings_list", place.cpu)));
        if (package.empty())
            package = online; // a kernel that knows of no packages
        if (std::ranges::find(captured.packages, package) == captured.packages.end())
            captured.packages.push_back(std::move(package));
    }
    captured.distances = node_distances(root / "sys/devices/system/node");
    captured.isolated = CpuSet::parse_list(read_file_or(cpus / "isolated"));
    try {
        captured.domains = read_domains(root);
    } catch (const Error &e) { // the topology alone decides
        captured.domains_missing = fmt::format("{}: {}", e.what(), e.remedy());
    }
    return captured;
}

} // namespace schedlab
