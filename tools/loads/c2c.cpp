// SPDX-License-Identifier: GPL-2.0-or-later
// One thread writes lines on one CPU, moves to another and follows a chain through them, twice: first they come from the
// other CPU, then they are its own. The difference, per line, is what the way takes. Nobody waits for anybody, so it is
// as exact as the clock even where CPUs see each other's stores late, as in modelled time.
#include "loads/c2c.h"

#include <algorithm>
#include <fmt/format.h>
#include <limits>
#include <random>

#include "core/error.h"
#include "loads/affinity.h"
#include "loads/clock.h"
#include "sys/interrupt.h"

namespace schedlab {
namespace {

using Json = nlohmann::ordered_json;

struct alignas(64) Line {
    Line *next = nullptr;
    std::uint64_t written = 0;
};

// Lines in a ring, each once, in an order that no prefetcher knows.
class Chain {
public:
    Chain(std::size_t count, std::uint64_t seed) : lines_(count) {
        std::vector<std::size_t> order(count);
        for (std::size_t i = 0; i < count; ++i)
            order[i] = i;
        std::shuffle(order.begin(), order.end(), std::mt19937_64(seed));
        for (std::size_t i = 0; i < count; ++i)
            lines_[order[i]].next = &lines_[order[(i + 1) % count]];
    }

    void write() {
        for (Line &line : lines_)
            *const_cast<volatile std::uint64_t *>(&line.written) = line.written + 1;
    }

    // How long the whole ring takes; each load needs the one before.
    std::int64_t follow() const {
        const Line *line = &lines_.front();
        const std::int64_t started = monotonic_ns();
        for (std::size_t i = 0; i < lines_.size(); ++i)
            line = *const_cast<Line *const volatile *>(&line->next);
        const std::int64_t elapsed = monotonic_ns() - started;
        if (line != &lines_.front())
            throw run_error("load c2c: the chain is broken"); // and so the loads cannot be left out
        return elapsed;
    }

    std::size_t count() const { return lines_.size(); }

private:
    std::vector<Line> lines_;
};

struct Options {
    CpuSet cpus;
    std::size_t lines;
    int rounds;

    explicit Options(const Json &json)
        : cpus(cpus_here(json.at("cpus"), "cpus")), lines(json.at("lines")), rounds(json.at("rounds")) {
        if (cpus.empty())
            cpus = cpus_allowed();
    }
};

// ns per line. The least of all rounds: what an interrupt adds is no part of the way.
double way_ns(Chain &chain, int from, int to, int rounds) {
    double least = std::numeric_limits<double>::max();
    for (int round = 0; round < rounds; ++round) {
        throw_if_interrupted();
        confine_to({from});
        chain.write();
        confine_to({to});
        const std::int64_t foreign = chain.follow(), own = chain.follow();
        least = std::min(least, double(foreign - own) / double(chain.count()));
    }
    return least;
}

void check(const Json &json) {
    const Options options(json);
    if (options.cpus.size() < 2)
        throw usage_error("load c2c needs two CPUs or more", "name them with --cpus");
}

LoadResult run(const Json &json, std::uint64_t seed, const LoadHooks &hooks) {
    const Options options(json);
    const SavedAffinity saved;
    Chain chain(options.lines, seed);
    LoadResult result;
    hooks.begin();
    const std::int64_t started = monotonic_ns();
    for (const int from : options.cpus)
        for (const int to : options.cpus)
            if (from < to)
                result.metrics.push_back({fmt::format("line_ns.{}-{}", from, to), "ns", MetricClass::time,
                                          Direction::lower_is_better, MetricKind::value,
                                          way_ns(chain, from, to, options.rounds)});
    result.elapsed_ns = monotonic_ns() - started;
    hooks.end();
    return result;
}

} // namespace

Load c2c_load() {
    return {"c2c",
            "what a line of memory takes from one CPU to another, for every two",
            {{"cpus", 0, OptionType::place, "", 0, 0, "between these CPUs; default: all"},
             {"lines", 0, OptionType::integer, 128, 8, 1 << 16, "lines that move at once; they must fit into an L1 cache"},
             {"rounds", 0, OptionType::integer, 10, 1, 1'000'000, "times each way is measured; the least counts"}},
            check,
            run,
            {}};
}

} // namespace schedlab
