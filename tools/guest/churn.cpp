// SPDX-License-Identifier: GPL-2.0-or-later
#include "guest/churn.h"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <fcntl.h>
#include <filesystem>
#include <fmt/format.h>
#include <sched.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/error.h"
#include "sys/fd.h"
#include "sys/files.h"
#include "sys/sched_features.h"

namespace schedlab {

namespace fs = std::filesystem;

namespace {

const std::string cgroups = "/sys/fs/cgroup";
constexpr int most_partitions = 3;

// Whether the kernel took it. It may refuse for good reasons (a partition's last CPU), which is no fault.
bool put(const std::string &path, std::string_view text) {
    const Fd file(::open(path.c_str(), O_WRONLY | O_CLOEXEC));
    return file && ::write(file.get(), text.data(), text.size()) == ssize_t(text.size());
}

std::string switch_of(int cpu) { return fmt::format("/sys/devices/system/cpu/cpu{}/online", cpu); }

// Numbers that name entries of a directory of /proc, in their order; none if it is gone.
std::vector<int> numbers_in(const std::string &directory) {
    std::vector<int> numbers;
    std::error_code gone;
    for (const fs::directory_entry &entry : fs::directory_iterator(directory, gone)) {
        const std::string name = entry.path().filename();
        int number = 0;
        if (std::from_chars(name.data(), name.data() + name.size(), number).ptr == name.data() + name.size())
            numbers.push_back(number);
    }
    std::ranges::sort(numbers);
    return numbers;
}

// All but init, this process and kernel threads, which have no command line.
std::vector<int> processes() {
    std::vector<int> found = numbers_in("/proc");
    std::erase_if(found, [](int pid) {
        return pid == 1 || pid == ::getpid() || read_file_or(fmt::format("/proc/{}/cmdline", pid)).empty();
    });
    return found;
}

} // namespace

Churn::Churn(std::uint64_t seed, const CpuSet &cpus, const std::vector<std::string> &features) : random_(seed), cpus_(cpus) {
    for (const int cpu : cpus) {
        if (::access(switch_of(cpu).c_str(), W_OK) == 0)
            removable_.push_back(cpu);
        online_[cpu] = true;
    }
    if (put(cgroups + "/cgroup.subtree_control", "+cpuset"))
        for (int i = 0; i < most_partitions; ++i)
            partitions_.push_back({fmt::format("{}/churn{}", cgroups, i)});
    if (removable_.empty() && partitions_.empty())
        throw environment_error("nothing of this machine can be changed: no CPU can go offline, and cgroup2 has no cpusets",
                                "the kernel needs CONFIG_HOTPLUG_CPU or CONFIG_CPUSETS");
    for (const auto &[name, on] : read_sched_features())
        if (std::ranges::find(features, name) != features.end())
            features_[name] = features_before_[name] = on;
}

Churn::~Churn() { restore(); }

void Churn::change() {
    struct Kind {
        const char *name;
        bool (Churn::*make)();
        unsigned weight;
    };
    const Kind kinds[] = {
        {"hotplug", &Churn::toggle_cpu, removable_.empty() ? 0U : 3U},
        {"partition", &Churn::change_partition, partitions_.empty() ? 0U : 3U},
        {"affinity", &Churn::change_affinity, 2},
        {"feature", &Churn::switch_feature, features_.empty() ? 0U : 1U},
    };
    unsigned all = 0;
    for (const Kind &kind : kinds)
        all += kind.weight;
    for (;;) {
        std::uint64_t left = draw(all);
        const Kind *kind = kinds;
        while (left >= kind->weight)
            left -= kind++->weight;
        const bool made = (this->*kind->make)();
        ++counts_[made ? kind->name : "refused"];
        if (made)
            return;
    }
}

void Churn::restore() {
    for (Partition &partition : partitions_)
        if (!partition.cpus.empty())
            dissolve(partition);
    for (const int cpu : removable_)
        if (!online_[cpu])
            online_[cpu] = put(switch_of(cpu), "1");
    for (const auto &[name, on] : features_before_)
        put(sched_features_file, on ? name : "NO_" + name);
}

std::vector<int> Churn::some_of(const std::vector<int> &cpus) {
    std::vector<int> chosen;
    while (chosen.empty() && !cpus.empty())
        std::ranges::copy_if(cpus, std::back_inserter(chosen), [&](int) { return draw(2) == 1; });
    return chosen;
}

// A thread of the load; 0: there is none.
int Churn::some_task() {
    const std::vector<int> all = processes();
    if (all.empty())
        return 0;
    const std::vector<int> threads = numbers_in(fmt::format("/proc/{}/task", all[draw(all.size())]));
    return threads.empty() ? 0 : threads[draw(threads.size())];
}

// Each partition, and the root, has a CPU that is online. 6.12's cpusets warn by themselves about a partition that they
// make invalid (update_parent_effective_cpumask(), partition_xcpus_del()), and about CPUs that two partitions are given in
// turn (generate_sched_domains()), and now and then about a task that moves into a partition (cpuset_attach_task()): no
// faults of how tasks are placed, and so not looked for here. Partitions take CPUs from the load; it does not move in.
bool Churn::all_have_cpus() const {
    const auto online = [this](int cpu) { return online_.at(cpu); };
    std::vector<int> root = cpus_.cpus();
    for (const Partition &partition : partitions_) {
        if (!partition.cpus.empty() && std::ranges::none_of(partition.cpus, online))
            return false;
        std::erase_if(root, [&](int cpu) { return std::ranges::find(partition.cpus, cpu) != partition.cpus.end(); });
    }
    return std::ranges::any_of(root, online);
}

bool Churn::toggle_cpu() {
    const int cpu = removable_[draw(removable_.size())];
    bool &online = online_[cpu];
    online = !online;
    if (all_have_cpus() && put(switch_of(cpu), online ? "1" : "0"))
        return true;
    online = !online;
    return false;
}

bool Churn::change_partition() {
    Partition &partition = partitions_[draw(partitions_.size())];
    if (!partition.cpus.empty())
        return dissolve(partition);
    std::vector<int> free = cpus_.cpus();
    for (const Partition &other : partitions_)
        std::erase_if(free, [&](int cpu) { return std::ranges::find(other.cpus, cpu) != other.cpus.end(); });
    partition.cpus = some_of(free);
    if (!partition.cpus.empty() && all_have_cpus() && ::mkdir(partition.directory.c_str(), 0755) == 0)
        return put(partition.directory + "/cpuset.cpus", CpuSet(partition.cpus).to_list()) &&
               put(partition.directory + "/cpuset.cpus.partition", draw(3) ? "root" : "isolated");
    partition.cpus.clear();
    return false;
}

bool Churn::dissolve(Partition &partition) {
    if (::rmdir(partition.directory.c_str()) != 0)
        return false;
    partition.cpus.clear();
    return true;
}

bool Churn::change_affinity() {
    cpu_set_t mask;
    CPU_ZERO(&mask);
    for (const int cpu : some_of(cpus_.cpus()))
        CPU_SET(cpu, &mask);
    const int task = some_task();
    return task && ::sched_setaffinity(task, sizeof mask, &mask) == 0;
}

bool Churn::switch_feature() {
    auto feature = std::next(features_.begin(), std::ptrdiff_t(draw(features_.size())));
    if (!put(sched_features_file, feature->second ? "NO_" + feature->first : feature->first))
        return false;
    feature->second = !feature->second;
    return true;
}

} // namespace schedlab
