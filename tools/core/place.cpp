// SPDX-License-Identifier: GPL-2.0-or-later
#include "core/place.h"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>
#include <functional>
#include <optional>
#include <set>

#include "core/error.h"

namespace schedlab {
namespace {

struct Level {
    std::string_view name;
    int CpuPlace::*id;
};
constexpr Level levels[] = {{"core", &CpuPlace::core},
                            {"cluster", &CpuPlace::cluster},
                            {"llc", &CpuPlace::llc},
                            {"node", &CpuPlace::node}};

struct Group {
    const Level *level;
    int number;
};

// "cluster:2"; nothing for any other kind of piece.
std::optional<Group> group_in(std::string_view piece) {
    const auto colon = piece.find(':');
    const auto level = std::ranges::find(levels, piece.substr(0, colon), &Level::name);
    if (colon == piece.npos || level == std::end(levels))
        return std::nullopt;
    const std::string_view digits = piece.substr(colon + 1);
    int number = 0;
    const auto [end, err] = std::from_chars(digits.begin(), digits.end(), number);
    if (err != std::errc() || end != digits.end() || number < 0)
        return std::nullopt;
    return Group{&*level, number};
}

bool is_size(std::string_view piece) { return piece == "big" || piece == "little"; }

CpuSet listed(std::string_view piece) {
    try {
        return CpuSet::parse_list(piece);
    } catch (const Error &) {
        throw usage_error(fmt::format("'{}' is no place", piece),
                          "a place is a CPU list, node:N, llc:N, cluster:N, core:N, big or little");
    }
}

template <class Visit> void for_each_piece(std::string_view place, Visit visit) {
    while (!place.empty()) {
        const auto comma = place.find(',');
        visit(place.substr(0, comma));
        place.remove_prefix(comma == place.npos ? place.size() : comma + 1);
    }
}

std::vector<int> cpus_where(const Topology &topology, const std::function<bool(const CpuPlace &)> &wanted) {
    std::vector<int> cpus;
    for (const CpuPlace &place : topology.cpus)
        if (wanted(place))
            cpus.push_back(place.cpu);
    return cpus;
}

std::vector<int> cpus_of_size(const Topology &topology, std::string_view size) {
    if (!topology.asymmetric())
        throw usage_error(fmt::format("no {} CPUs: all are of one capacity here", size));
    const auto [least, most] = std::ranges::minmax(topology.cpus, {}, &CpuPlace::capacity);
    const int capacity = size == "big" ? most.capacity : least.capacity;
    return cpus_where(topology, [&](const CpuPlace &place) { return place.capacity == capacity; });
}

std::vector<int> cpus_of_group(const Topology &topology, const Group &group) {
    const auto &[name, id] = *group.level;
    // A level that a machine lacks has the ids of the level below.
    if (name == "cluster" && std::ranges::all_of(topology.cpus, [](auto &p) { return p.cluster == p.core; }))
        throw usage_error("no clusters here: nothing lies between a core and a last-level cache", "try llc:N");
    std::set<int> ids;
    for (const CpuPlace &place : topology.cpus)
        ids.insert(place.*id);
    // Nodes have numbers of their own; the others are counted.
    const bool numbered = name == "node";
    if (numbered ? !ids.contains(group.number) : std::size_t(group.number) >= ids.size()) {
        const std::string there = numbered ? "node " + CpuSet(std::vector(ids.begin(), ids.end())).to_list()
                                           : fmt::format("{}, counted from 0", ids.size());
        throw usage_error(fmt::format("no {}:{} here: there {} {}", name, group.number,
                                      ids.size() == 1 ? "is" : "are", there));
    }
    const int wanted = numbered ? group.number : *std::next(ids.begin(), group.number);
    return cpus_where(topology, [&, id = id](const CpuPlace &place) { return place.*id == wanted; });
}

} // namespace

void check_place(std::string_view place) {
    for_each_piece(place, [](std::string_view piece) {
        if (!is_size(piece) && !group_in(piece))
            listed(piece);
    });
}

CpuSet cpus_at(const Topology &topology, std::string_view place) {
    std::vector<int> cpus;
    for_each_piece(place, [&](std::string_view piece) {
        const std::optional<Group> group = group_in(piece);
        const std::vector<int> more = is_size(piece) ? cpus_of_size(topology, piece)
                                      : group        ? cpus_of_group(topology, *group)
                                                     : listed(piece).cpus();
        cpus.insert(cpus.end(), more.begin(), more.end());
    });
    return CpuSet(std::move(cpus));
}

} // namespace schedlab
