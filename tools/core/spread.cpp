// SPDX-License-Identifier: GPL-2.0-or-later
#include "core/spread.h"

#include <algorithm>
#include <map>

namespace schedlab {
namespace {

struct Move {
    std::int64_t when_ns;
    std::size_t task;
    int core;
};

std::vector<Move> moves_of(std::span<const std::vector<Stay>> tasks) {
    std::vector<Move> moves;
    for (std::size_t task = 0; task < tasks.size(); ++task)
        for (const Stay &stay : tasks[task])
            moves.push_back({stay.since_ns, task, stay.core});
    std::ranges::stable_sort(moves, {}, &Move::when_ns);
    return moves;
}

} // namespace

Spread spread_of(std::span<const std::vector<Stay>> tasks, std::size_t cores, std::int64_t start_ns,
                 std::int64_t end_ns) {
    constexpr int nowhere = -1;
    std::vector<int> place(tasks.size(), nowhere);
    std::map<int, int> occupied; // core → tasks on it
    Spread spread{end_ns, 0};
    std::int64_t since = start_ns;
    bool settled = false;
    // A task that has not run yet shares with somebody: it waits for a core.
    const auto pass_until = [&](std::int64_t now) {
        if (now <= since)
            return;
        if (occupied.size() < std::min(tasks.size(), cores))
            spread.shared_ns += now - since;
        else if (!settled) {
            settled = true;
            spread.settled_ns = since;
        }
        since = now;
    };
    for (const Move &move : moves_of(tasks)) {
        pass_until(std::min(move.when_ns, end_ns));
        if (int &core = place[move.task]; core != move.core) {
            if (core != nowhere && --occupied[core] == 0)
                occupied.erase(core);
            core = move.core;
            ++occupied[core];
        }
    }
    pass_until(end_ns);
    return spread;
}

double fairness(std::span<const double> shares) {
    double sum = 0, squares = 0;
    for (const double share : shares) {
        sum += share;
        squares += share * share;
    }
    return squares > 0 ? sum * sum / (double(shares.size()) * squares) : 1;
}

} // namespace schedlab
