// SPDX-License-Identifier: GPL-2.0-or-later
// Changes to a machine while a load runs, drawn from a seed: CPUs go and come back, cpuset partitions take
// CPUs and give them back, the affinity of tasks changes, scheduler features are switched.
#pragma once

#include <cstdint>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "core/cpulist.h"

namespace schedlab {

class Churn {
public:
    // `features` are switched too, where the kernel has them. Throws an environment error where the machine has neither a
    // CPU that can go offline nor cpuset partitions.
    Churn(std::uint64_t seed, const CpuSet &cpus, const std::vector<std::string> &features);
    ~Churn(); // restore()

    void change(); // one that the kernel accepts; those it refuses are counted
    void restore(); // all CPUs online, no partition, the features as they were

    // How many changes there were, by kind: "hotplug", "partition", "affinity", "feature"; and "refused".
    const std::map<std::string, std::uint64_t> &counts() const { return counts_; }

private:
    struct Partition {
        std::string directory;
        std::vector<int> cpus = {}; // none: it does not exist
    };

    std::uint64_t draw(std::uint64_t below) { return random_() % below; }
    std::vector<int> some_of(const std::vector<int> &cpus);
    int some_task();
    bool toggle_cpu();
    bool change_partition();
    bool change_affinity();
    bool switch_feature();
    bool all_have_cpus() const;
    bool dissolve(Partition &partition);

    std::mt19937_64 random_;
    CpuSet cpus_;
    std::vector<int> removable_;
    std::map<int, bool> online_;
    std::vector<Partition> partitions_;
    std::map<std::string, bool> features_, features_before_;
    std::map<std::string, std::uint64_t> counts_;
};

} // namespace schedlab
