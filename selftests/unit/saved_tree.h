// SPDX-License-Identifier: GPL-2.0-or-later
// A directory that stands in for "/": what a machine's kernel says of its CPUs.
#pragma once

#include <filesystem>
#include <fmt/format.h>
#include <string>
#include <utility>
#include <vector>

#include "sys/files.h"

namespace schedlab::test {

class Tree {
public:
    Tree() : dir_("topology-test") {}

    const std::filesystem::path &root() const { return dir_.path(); }

    void put(const std::string &file, const std::string &text) {
        std::filesystem::create_directories((root() / file).parent_path());
        write_file_atomically(root() / file, text + "\n");
    }

    void put_cpu(int cpu, const std::string &siblings, const std::string &cluster, const std::string &package,
                 const std::vector<std::pair<int, std::string>> &caches) {
        const std::string dir = fmt::format("sys/devices/system/cpu/cpu{}/", cpu);
        put(dir + "topology/thread_siblings_list", siblings);
        put(dir + "topology/cluster_cpus_list", cluster);
        put(dir + "topology/core_siblings_list", package);
        for (std::size_t i = 0; i < caches.size(); ++i) {
            put(dir + fmt::format("cache/index{}/level", i), std::to_string(caches[i].first));
            put(dir + fmt::format("cache/index{}/shared_cpu_list", i), caches[i].second);
        }
    }

    void put_domain(int cpu, int level, const std::string &name, const std::string &flags) {
        const std::string dir = fmt::format("sys/kernel/debug/sched/domains/cpu{}/domain{}/", cpu, level);
        put(dir + "name", name);
        put(dir + "flags", flags);
    }

private:
    TempDir dir_;
};

} // namespace schedlab::test
