// SPDX-License-Identifier: GPL-2.0-or-later
#include "boot/device_tree.h"

#include <algorithm>
#include <fmt/format.h>
#include <libfdt.h>
#include <optional>
#include <vector>

#include "core/error.h"

namespace schedlab {

namespace {

// An open tree with room to grow. Nodes are named by path: offsets move with every edit.
class DeviceTree {
public:
    explicit DeviceTree(const std::string &blob) : bytes_(blob.size() + growth, '\0') {
        check(blob.size() < sizeof(fdt_header) ? -FDT_ERR_TRUNCATED : fdt_check_header(blob.data()), "is unreadable");
        check(fdt_open_into(blob.data(), bytes_.data(), int(bytes_.size())), "cannot be opened");
    }

    std::string packed() {
        clear_gaps();
        check(fdt_pack(tree()), "cannot be packed");
        return bytes_.substr(0, fdt_totalsize(tree()));
    }

    // Paths of the CPUs in their order in the tree, which is Linux's numbering.
    std::vector<std::string> cpu_paths() {
        std::vector<std::string> paths;
        int node;
        fdt_for_each_subnode(node, tree(), offset("/cpus")) {
            const std::string name = fdt_get_name(tree(), node, nullptr);
            if (name.starts_with("cpu@"))
                paths.push_back("/cpus/" + name);
        }
        return paths;
    }

    void add_node(const std::string &parent, const std::string &name) {
        check(fdt_add_subnode(tree(), offset(parent), name.c_str()), "takes no node " + name);
    }

    void set(const std::string &path, const char *property, std::uint32_t value) {
        check(fdt_setprop_u32(tree(), offset(path), property, value), path + " takes no " + property);
    }

    void set(const std::string &path, const char *property, std::string_view bytes) {
        check(fdt_setprop(tree(), offset(path), property, bytes.data(), int(bytes.size())),
              path + " takes no " + property);
    }

    void remove_node(const std::string &path) { check(fdt_del_node(tree(), offset(path)), "keeps its node " + path); }

    std::uint32_t phandle_of(const std::string &path) {
        std::uint32_t phandle = fdt_get_phandle(tree(), offset(path));
        if (phandle == 0)
            set(path, "phandle", phandle = new_phandle());
        return phandle;
    }

    std::uint32_t new_phandle() {
        std::uint32_t phandle = 0;
        check(fdt_generate_phandle(tree(), &phandle), "has no phandle left");
        return phandle;
    }

private:
    static constexpr std::size_t growth = 256 << 10; // bytes: 512 CPUs with two caches each need a third

    // Bytes after a property, up to the next word, are what was there before: of QEMU's own seeds, new each time.
    void clear_gaps() {
        for (int at = 0, next = 0; fdt_next_tag(tree(), at, &next) != FDT_END; at = next) {
            int length = 0;
            const struct fdt_property *property = fdt_get_property_by_offset(tree(), at, &length);
            if (property)
                std::fill_n(const_cast<char *>(property->data) + length, -unsigned(length) % FDT_TAGSIZE, '\0');
        }
    }

    void *tree() { return bytes_.data(); }

    int offset(const std::string &path) {
        const int at = fdt_path_offset(tree(), path.c_str());
        check(at, "has no node " + path);
        return at;
    }

    static void check(int result, const std::string &what) {
        if (result < 0)
            throw run_error(fmt::format("the machine's device tree {}: {}", what, fdt_strerror(result)));
    }

    std::string bytes_;
};

struct Cache {
    const CacheEdit *edit;
    std::string path;
    std::uint32_t phandle;
};

// The phandle of the nearest cache above `level` that holds all of `cpus`.
std::optional<std::uint32_t> next_level(const std::vector<Cache> &caches, int level, const CpuSet &cpus) {
    const Cache *nearest = nullptr;
    for (const Cache &cache : caches) {
        const CpuSet &held = cache.edit->cpus;
        if (cache.edit->level > level && (!nearest || cache.edit->level < nearest->edit->level) &&
            std::includes(held.begin(), held.end(), cpus.begin(), cpus.end()))
            nearest = &cache;
    }
    return nearest ? std::optional(nearest->phandle) : std::nullopt;
}

void add_caches(DeviceTree &tree, const Machine &machine, const std::vector<std::string> &cpus) {
    std::vector<Cache> caches;
    for (const CacheEdit &edit : machine.caches) {
        const std::string name = fmt::format("l{}-cache{}", edit.level, edit.cpus.first());
        tree.add_node("/cpus", name);
        const std::string path = "/cpus/" + name;
        const std::uint32_t phandle = tree.phandle_of(path);
        tree.set(path, "compatible", std::string_view("cache\0", 6));
        tree.set(path, "cache-unified", "");
        tree.set(path, "cache-level", std::uint32_t(edit.level));
        caches.push_back({&edit, path, phandle});
    }
    for (const Cache &cache : caches)
        if (const auto above = next_level(caches, cache.edit->level, cache.edit->cpus))
            tree.set(cache.path, "next-level-cache", *above);
    for (std::size_t cpu = 0; cpu < cpus.size(); ++cpu)
        if (const auto above = next_level(caches, 1, {int(cpu)}))
            tree.set(cpus[cpu], "next-level-cache", *above);
}

// `whole` in parts: the groups of the first list that lie in it, those of the next that lie in the rest, and so on; what
// is left stands alone.
std::vector<CpuSet> parts_of(const CpuSet &whole, std::initializer_list<const std::vector<CpuSet> *> lists) {
    std::vector<CpuSet> parts;
    const auto taken = [&parts](int cpu) {
        return std::ranges::any_of(parts, [cpu](const CpuSet &part) { return part.contains(cpu); });
    };
    for (const std::vector<CpuSet> *groups : lists)
        for (const CpuSet &group : *groups)
            if (whole.contains(group.first()) && !taken(group.first()))
                parts.push_back(group);
    for (int cpu : whole)
        if (!taken(cpu))
            parts.push_back({cpu});
    return parts;
}

void add_cores(DeviceTree &tree, const std::string &parent, const CpuSet &whole, const CpuMap &map,
               const std::vector<std::string> &cpus) {
    int number = 0;
    for (const CpuSet &core : parts_of(whole, {&map.cores})) {
        const std::string name = fmt::format("core{}", number++), path = parent + "/" + name;
        tree.add_node(parent, name);
        if (core.size() == 1)
            tree.set(path, "cpu", tree.phandle_of(cpus[core.first()]));
        else
            for (std::size_t thread = 0; thread < core.size(); ++thread) {
                const std::string node = fmt::format("thread{}", thread);
                tree.add_node(path, node);
                tree.set(path + "/" + node, "cpu", tree.phandle_of(cpus[core.cpus()[thread]]));
            }
    }
}

// Documentation/devicetree/bindings/cpu/cpu-topology.txt. Where a package has no clusters its cores lie in it directly.
void write_cpu_map(DeviceTree &tree, const CpuMap &map, const std::vector<std::string> &cpus) {
    const std::string root = "/cpus/cpu-map";
    tree.remove_node(root);
    tree.add_node("/cpus", "cpu-map");
    for (std::size_t package = 0; package < map.packages.size(); ++package) {
        const std::string socket = fmt::format("socket{}", package), path = root + "/" + socket;
        const CpuSet &held = map.packages[package];
        tree.add_node(root, socket);
        if (std::ranges::none_of(map.clusters, [&held](const CpuSet &cluster) { return held.contains(cluster.first()); })) {
            add_cores(tree, path, held, map, cpus);
            continue;
        }
        int number = 0;
        for (const CpuSet &cluster : parts_of(held, {&map.clusters, &map.cores})) {
            const std::string name = fmt::format("cluster{}", number++);
            tree.add_node(path, name);
            add_cores(tree, path + "/" + name, cluster, map, cpus);
        }
    }
}

// SplitMix64 (Steele, Lea, Flood 2014): one seed, as many well-mixed words as wanted.
std::string random_bytes(std::uint64_t &state, std::size_t words) {
    std::string bytes;
    for (std::size_t i = 0; i < words; ++i) {
        std::uint64_t z = state += 0x9e3779b97f4a7c15;
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
        z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
        z ^= z >> 31;
        for (int byte = 0; byte < 8; ++byte)
            bytes += char(z >> (8 * byte));
    }
    return bytes;
}

} // namespace

std::string edit_device_tree(const std::string &blob, const Machine &machine, std::uint64_t seed) {
    DeviceTree tree(blob);
    const std::vector<std::string> cpus = tree.cpu_paths();
    if (int(cpus.size()) != machine.cpus)
        throw run_error(fmt::format("machine {} says {} CPUs, QEMU built {}", machine.name, machine.cpus, cpus.size()),
                        "make 'cpus' and '-smp' of the model agree");
    for (const CapacityEdit &edit : machine.capacities)
        for (int cpu : edit.cpus)
            tree.set(cpus[cpu], "capacity-dmips-mhz", std::uint32_t(edit.dmips_mhz));
    if (!machine.cpu_map.packages.empty())
        write_cpu_map(tree, machine.cpu_map, cpus);
    add_caches(tree, machine, cpus);
    tree.set("/chosen", "rng-seed", random_bytes(seed, 4));
    tree.set("/chosen", "kaslr-seed", random_bytes(seed, 1));
    return tree.packed();
}

} // namespace schedlab
