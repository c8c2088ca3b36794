// SPDX-License-Identifier: GPL-2.0-or-later
// /proc/schedstat, twice: `cat /proc/schedstat` before and after, one behind the other. What was counted between them is a
// result; of several pairs each. Told by shape, not by version, which kernels under development got wrong:
//
//   cpuN      9 numbers: yields 0 switches idle wakeups local ran_ns waited_ns slices
//   domainN   a mask, behind a name from version 17 on, then three kinds of idleness times 8 or (17) 11 numbers, and 12 more
//
// Kinds of idleness are idle, busy, newly idle up to version 15, since then busy, idle, newly idle.
#include <algorithm>
#include <array>
#include <charconv>
#include <map>

#include "import/format.h"
#include "import/scan.h"

namespace schedlab {

namespace {

using Counters = std::vector<std::uint64_t>;

constexpr std::size_t cpu_numbers = 9, kinds = 3, tail = 12; // `tail`: behind the kinds
constexpr std::size_t short_kind = 8, long_kind = 11;        // numbers per kind
constexpr std::uint64_t swapped_since = 16;                  // busy stands before idle

enum CpuNumber { switches = 2, idle = 3, wakeups = 4, local = 5, ran = 6, waited = 7, slices = 8 };

struct Snapshot {
    std::size_t line = 0;
    std::uint64_t version = 0;
    std::uint64_t jiffies = 0;
    std::map<std::string, Counters, std::less<>> cpus, domains; // a domain's name begins with its CPU's
};

// Numbers at the end of a line, from word `first` on; empty if one is none.
Counters numbers(const std::vector<std::string_view> &words, std::size_t first) {
    Counters result;
    for (std::size_t i = first; i < words.size(); ++i) {
        std::uint64_t value = 0;
        const auto [end, error] = std::from_chars(words[i].data(), words[i].data() + words[i].size(), value);
        if (error != std::errc() || end != words[i].data() + words[i].size())
            return {};
        result.push_back(value);
    }
    return result;
}

// Most counters have 32 bits and wrap around.
std::uint64_t between(std::uint64_t before, std::uint64_t after) {
    return after >= before ? after - before : (after - before) & 0xffffffff;
}

bool is_cpu(std::string_view line) {
    const std::vector<std::string_view> words = words_of(line);
    return !words.empty() && words[0].starts_with("cpu") && words[0].size() > 3 && numbers({words[0].substr(3)}, 0).size() == 1 &&
           numbers(words, 1).size() == cpu_numbers;
}

class Schedstat : public LogParser {
public:
    void take(std::size_t number, std::string_view line) override {
        const std::vector<std::string_view> words = words_of(line);
        if (words.size() == 2 && words[0] == "version") {
            const Counters version = numbers(words, 1);
            next(number, version.empty() ? 0 : version[0]);
        } else if (words.empty() || shots_.empty()) {
            return;
        } else if (words[0] == "timestamp" && words.size() == 2) {
            const Counters jiffies = numbers(words, 1);
            shots_.back().jiffies = jiffies.empty() ? 0 : jiffies[0];
        } else if (words[0].starts_with("cpu")) {
            cpu_ = words[0];
            if (Counters counters = numbers(words, 1); counters.size() == cpu_numbers)
                shots_.back().cpus[cpu_] = std::move(counters);
            else
                skip(number, "not the nine numbers of a CPU");
        } else if (words[0].starts_with("domain")) {
            take_domain(number, words);
        }
    }
    void end() override {
        next(0, 0);
        if (shots_.size() == 2) // of which the second is the one that next() began
            skip(shots_[0].line, "no second reading of /proc/schedstat follows");
    }

private:
    void next(std::size_t number, std::uint64_t version) {
        if (shots_.size() == 2) {
            compare(shots_[0], shots_[1]);
            shots_.clear();
        }
        shots_.push_back({number, version});
        cpu_.clear();
    }

    void take_domain(std::size_t number, const std::vector<std::string_view> &words) {
        for (const std::size_t per_kind : {short_kind, long_kind}) {
            const std::size_t all = kinds * per_kind + tail;
            if (words.size() != all + 2 && words.size() != all + 3)
                continue;
            if (Counters counters = numbers(words, words.size() - all); !counters.empty()) {
                shots_.back().domains[cpu_ + std::string(words[0])] = std::move(counters);
                return;
            }
        }
        skip(number, "not the numbers of a domain");
    }

    void compare(const Snapshot &before, const Snapshot &after) {
        if (after.jiffies < before.jiffies)
            return skip(after.line, "earlier than the reading before it: another boot");
        Counters cpu = sum(before.cpus, after.cpus, cpu_numbers);
        if (std::ranges::all_of(cpu, [](std::uint64_t n) { return n == 0; }))
            return skip(after.line, "nothing was counted in between; is kernel.sched_schedstats 1?");
        Record &record = begin(before.line, "schedstat");
        const auto count = [&](const std::string &name, std::uint64_t value, Direction direction = Direction::neutral) {
            record.metrics.push_back(imported_count(name, direction, double(value)));
        };
        count("switches", cpu[switches]);
        count("switches.idle", cpu[idle]);
        count("wakeups", cpu[wakeups]);
        count("wakeups.local", cpu[local]);
        count("slices", cpu[slices]);
        record.metrics.push_back(imported_time("ran_ms", "ms", Direction::neutral, double(cpu[ran]) / 1e6));
        record.metrics.push_back(imported_time("waited_ms", "ms", Direction::lower_is_better, double(cpu[waited]) / 1e6));
        if (before.cpus.size() != after.cpus.size())
            record.warnings.push_back("schedstat: CPUs came or went: only those in both readings are counted");
        add_domains(record, before, after);
    }

    void add_domains(Record &record, const Snapshot &before, const Snapshot &after) {
        for (const std::size_t per_kind : {short_kind, long_kind}) {
            const Counters counters = sum(before.domains, after.domains, kinds * per_kind + tail);
            if (counters.empty())
                continue;
            const bool swapped = per_kind == long_kind || after.version >= swapped_since;
            const std::array<const char *, kinds> names = {swapped ? "busy" : "idle", swapped ? "idle" : "busy", "newly_idle"};
            for (std::size_t kind = 0; kind < kinds; ++kind) // pulled: behind three counts and one imbalance, or four
                record.metrics.push_back(imported_count(std::string("pulled.") + names[kind], Direction::neutral,
                                                        double(counters[kind * per_kind + per_kind - 4])));
            const std::size_t rest = kinds * per_kind;
            record.metrics.push_back(imported_count("pushed.active", Direction::lower_is_better, double(counters[rest + 2])));
            record.metrics.push_back(imported_count("wakeups.remote", Direction::neutral, double(counters[rest + 9])));
            record.metrics.push_back(imported_count("wakeups.moved_affine", Direction::neutral, double(counters[rest + 10])));
        }
    }

    // Of all counters of one length in both readings: what was added. Empty if there are none.
    static Counters sum(const std::map<std::string, Counters, std::less<>> &before, const std::map<std::string, Counters, std::less<>> &after,
                        std::size_t size) {
        Counters total;
        for (const auto &[name, counters] : after) {
            const auto at = before.find(name);
            if (at == before.end() || counters.size() != size || at->second.size() != size)
                continue;
            total.resize(size);
            for (std::size_t i = 0; i < size; ++i)
                total[i] += between(at->second[i], counters[i]);
        }
        return total;
    }

    std::vector<Snapshot> shots_; // at most two
    std::string cpu_;             // whose domains follow
};

} // namespace

const LogFormat schedstat_format = {
    "schedstat", "/proc/schedstat, before and after",
    is_cpu,
    [] { return std::unique_ptr<LogParser>(std::make_unique<Schedstat>()); }};

} // namespace schedlab
