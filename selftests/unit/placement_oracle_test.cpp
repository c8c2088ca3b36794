// SPDX-License-Identifier: GPL-2.0-or-later
// The ledger by other means: the events that the placement probe recorded are replayed through a model that
// keeps each wakeup and looks at the whole machine, and its rows must be those that BPF counted meanwhile,
// exactly.
//
// Replays selftests/data/placement_*.events, each beside its record, or what stands under $SCHEDLAB_ORACLE instead.
#include <algorithm>
#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <sstream>

#include "core/cpulist.h"
#include "core/record.h"
#include "source_dir.h"
#include "sys/files.h"

using namespace schedlab;
namespace fs = std::filesystem;

namespace {

struct Cpu {
    int core, cluster, llc, node, capacity;
};

struct Event {
    std::string kind, task, flags;
    int pid, on, from, to;
    unsigned utilization;
    CpuSet allowed;
    bool is(char flag) const { return flags.find(flag) != flags.npos; }
};

struct Wakeup {
    std::string task;
    int waker, prev, chosen;
    bool missed_prev = false, missed_cluster = false, missed_idle = false;
};

using Rows = std::map<std::string, double>;

class Model {
public:
    void replay(const std::string &line) {
        std::istringstream words(line);
        if (std::string word; line.starts_with("cpu ")) {
            int number = 0, apart = 0;
            Cpu cpu{};
            words >> word >> number >> word >> cpu.core >> word >> cpu.cluster >> word >> cpu.llc >> word >>
                cpu.node >> word >> cpu.capacity >> word >> apart;
            REQUIRE(words);
            cpus_[number] = cpu;
            if (apart)
                apart_.insert(number);
        } else {
            Event e;
            std::string time, allowed;
            words >> time >> e.kind >> e.task >> e.pid >> word >> e.on >> word >> e.from >> word >> e.to >> word >>
                e.flags >> word >> e.utilization >> word >> allowed;
            REQUIRE(words);
            if (allowed != "-")
                e.allowed = CpuSet::parse_list(allowed);
            happen(e);
        }
    }

    Rows rows() const {
        Rows rows = {{"wakeups", wakeups_.size()}, {"stacked", stacked_}, {"forks", forks_},
                     {"migrations.fork", forks_elsewhere_}};
        for (const char *row : {"missed.prev", "missed.idle", "migrations", "migrations.wakeup", "migrations.exec",
                                "migrations.balance", "migrations.affinity", "migrations.hotplug"})
            rows[row] = 0;
        for (const char *d : distances) {
            for (const std::string from : {"wake.prev.", "wake.waker."})
                rows[from + d] = 0;
            if (d != std::string("same"))
                rows[std::string("migrations.") + d] = 0;
        }
        double up = 0, down = 0;
        for (const Wakeup &w : wakeups_) {
            ++rows["wake.prev." + distance(w.prev, w.chosen)];
            ++rows["wake.waker." + distance(w.waker, w.chosen)];
            up += capacity(w.chosen) > capacity(w.prev);
            down += capacity(w.chosen) < capacity(w.prev);
            rows["missed.prev"] += w.missed_prev;
            rows["missed.idle"] += w.missed_idle;
            if (clustered())
                rows["missed.cluster"] += w.missed_cluster;
        }
        if (asymmetric())
            rows["migrations.cap_up"] = rows["migrations.cap_down"] = 0;
        for (const auto &[cause, from, to] : migrations_) {
            ++rows["migrations"];
            ++rows["migrations." + cause];
            ++rows["migrations." + distance(from, to)];
            if (capacity(to) != capacity(from))
                ++rows[capacity(to) > capacity(from) ? "migrations.cap_up" : "migrations.cap_down"];
        }
        if (const double all = double(wakeups_.size()); all > 0)
            add_shares(rows, all, up, down);
        return rows;
    }

private:
    static constexpr const char *distances[] = {"same", "smt", "cluster", "llc", "node", "remote"};

    void add_shares(Rows &rows, double all, double up, double down) const {
        for (const std::string from : {"wake.prev.", "wake.waker."}) {
            for (const char *d : distances)
                rows[from + d + ".share"] = rows[from + d] / all;
            if (clustered())
                rows[from + "within_cluster.share"] =
                    (rows[from + "same"] + rows[from + "smt"] + rows[from + "cluster"]) / all;
        }
        if (asymmetric()) {
            rows["wake.prev.cap_up.share"] = up / all;
            rows["wake.prev.cap_down.share"] = down / all;
        }
    }

    int capacity(int cpu) const { return cpus_.at(cpu).capacity; }
    bool asymmetric() const {
        const int first = cpus_.begin()->second.capacity;
        return std::ranges::any_of(cpus_, [&](const auto &c) { return c.second.capacity != first; });
    }
    std::string distance(int a, int b) const {
        const Cpu &x = cpus_.at(a), &y = cpus_.at(b);
        return a == b                   ? "same"
               : x.core == y.core       ? "smt"
               : x.cluster == y.cluster ? "cluster"
               : x.llc == y.llc         ? "llc"
               : x.node == y.node       ? "node"
                                        : "remote";
    }
    bool same_llc(int a, int b) const { return cpus_.at(a).llc == cpus_.at(b).llc || same_cluster(a, b); }
    bool same_cluster(int a, int b) const {
        return cpus_.at(a).cluster == cpus_.at(b).cluster || cpus_.at(a).core == cpus_.at(b).core;
    }
    bool clustered() const {
        for (const auto &[a, x] : cpus_)
            for (const auto &[b, y] : cpus_)
                if (distance(a, b) == "cluster")
                    return true;
        return false;
    }

    template <class Where> bool some_idle(const CpuSet &allowed, Where where) const {
        return std::ranges::any_of(idle_, [&](int cpu) { return allowed.contains(cpu) && where(cpu); });
    }
    bool idle_in_llc(const Event &e, int around) const {
        return some_idle(e.allowed, [&](int cpu) { return same_llc(cpu, around); });
    }

    void happen(const Event &e) {
        const bool counts = e.is('c') && e.is('s');
        if (e.kind == "waking") {
            if (counts) {
                const bool chooses = !e.is('q') && !e.is('r');
                wakeups_.push_back({e.task, e.on, e.from, e.from});
                wakeups_.back().missed_idle = chooses && !idle_.contains(e.from) && idle_in_llc(e, e.from);
                under_way_[e.on] = wakeups_.size() - 1;
            }
        } else if (e.kind == "migrate") {
            if (counts)
                migrate(e);
            idle_.erase(e.to);
            if (waits_on_.contains(e.task))
                waits_on_[e.task] = e.to;
        } else if (e.kind == "wakeup" || e.kind == "fork") {
            if (e.kind == "fork" && counts) {
                ++forks_;
                forks_elsewhere_ += e.from != e.on;
            }
            if (e.kind == "fork" || !e.is('r'))
                wait(e, e.kind == "wakeup" && counts);
        } else if (e.kind == "switch") {
            waits_on_.erase(e.task);
            if (e.pid == 0 && !apart_.contains(e.on))
                idle_.insert(e.on);
            else
                idle_.erase(e.on);
        } else if (e.kind == "hotplug") {
            apart_.erase(e.from);
            if (e.to) {
                apart_.insert(e.from);
                idle_.erase(e.from);
            }
        } else {
            FAIL("an event of unknown kind " << e.kind);
        }
    }

    void wait(const Event &e, bool counts) {
        idle_.erase(e.from);
        if (waits_on_.contains(e.task))
            return;
        const bool others = std::ranges::any_of(waits_on_, [&](const auto &w) { return w.second == e.from; });
        stacked_ += counts && others;
        waits_on_[e.task] = e.from;
    }

    std::string cause_of(const Event &e) const {
        if (e.is('w'))
            return "wakeup";
        if (apart_.contains(e.from))
            return "hotplug";
        if (!e.allowed.contains(e.from))
            return "affinity";
        return e.is('x') && e.from == e.on ? "exec" : "balance";
    }

    void migrate(const Event &e) {
        migrations_.push_back({cause_of(e), e.from, e.to});
        const auto at = under_way_.find(e.on);
        if (!e.is('w') || at == under_way_.end() || wakeups_[at->second].task != e.task)
            return;
        Wakeup &w = wakeups_[at->second];
        under_way_.erase(at);
        w.chosen = e.to;
        w.prev = e.from; // a task that had not left its CPU may have been pulled to another since `waking`
        const bool fits = !asymmetric() || e.utilization * 1280ul < unsigned(capacity(w.prev)) * 1024ul;
        w.missed_prev = idle_.contains(w.prev) && e.allowed.contains(w.prev) && fits;
        w.missed_idle = !idle_.contains(e.to) && idle_in_llc(e, e.to);
        bool near = false, room = false;
        for (const int around : {w.prev, w.waker}) {
            near |= same_cluster(around, e.to);
            room |= same_llc(around, e.to) &&
                    some_idle(e.allowed, [&](int cpu) { return same_cluster(cpu, around); });
        }
        w.missed_cluster = !near && room;
    }

    struct Migration {
        std::string cause;
        int from, to;
    };

    std::map<int, Cpu> cpus_;
    std::set<int> idle_, apart_;
    std::map<std::string, int> waits_on_; // woken or new tasks that have not run yet
    std::map<int, std::size_t> under_way_; // the wakeup that a CPU is at
    std::vector<Wakeup> wakeups_;
    std::vector<Migration> migrations_;
    int stacked_ = 0, forks_ = 0, forks_elsewhere_ = 0;
};

bool in_ledger(const Metric &metric) {
    const std::string &name = metric.name;
    return name == "wakeups" || name == "stacked" || name == "forks" || name == "migrations" ||
           name.starts_with("wake.") || name.starts_with("missed.") || name.starts_with("migrations.");
}

std::vector<fs::path> streams() {
    const char *given = std::getenv("SCHEDLAB_ORACLE");
    std::vector<fs::path> files;
    for (const auto &entry : fs::directory_iterator(given ? given : SCHEDLAB_SOURCE_DIR "/selftests/data"))
        if (entry.path().extension() == ".events")
            files.push_back(entry.path());
    return files;
}

} // namespace

TEST_CASE("replayed events give the rows that BPF counted", "[placement][oracle]") {
    const std::vector<fs::path> files = streams();
    REQUIRE_FALSE(files.empty());
    for (const fs::path &file : files) {
        INFO(file);
        Model model;
        std::istringstream lines(read_file(file));
        for (std::string line; std::getline(lines, line);)
            model.replay(line);
        Rows rows = model.rows();
        CHECK(rows.at("wakeups") > 0);
        const Record record = nlohmann::ordered_json::parse(read_file(fs::path(file).replace_extension(".json")));
        CHECK(record.losses.empty());
        for (const Metric &metric : record.metrics)
            if (in_ledger(metric)) {
                INFO(metric.name);
                REQUIRE(rows.contains(metric.name));
                CHECK(rows.at(metric.name) == Catch::Approx(metric.value).epsilon(1e-12).margin(0));
                rows.erase(metric.name);
            }
        for (const auto &[name, value] : rows)
            FAIL_CHECK("the record lacks " << name);
    }
}
