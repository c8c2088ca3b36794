// SPDX-License-Identifier: GPL-2.0-or-later
#include "core/explain.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <map>
#include <optional>

#include "core/value_words.h"

namespace schedlab {

namespace {

enum class Part { where, missed, migrations, waiting, path };
enum class Effect { good, bad }; // of more of it
enum class Told { itself, rest };  // a share, or what is left of 1: "2 % leave" for 98 % that stay

struct Mechanism {
    std::string_view metric;
    Part part;
    Effect effect; // of more of what is told
    std::string_view words;
    Told told = Told::itself;
};

// What a scheduler does that is known to cost or save time: caches left cold, idle CPUs passed by, waiting.
constexpr Mechanism mechanisms[] = {
    {"wake.prev.within_cluster.share", Part::where, Effect::bad, "wakeups out of the previous CPU's cluster", Told::rest},
    {"wake.waker.within_cluster.share", Part::where, Effect::bad, "wakeups out of the waker's cluster", Told::rest},
    {"wake.prev.remote.share", Part::where, Effect::bad, "wakeups on another node than the last"},
    {"wake.waker.remote.share", Part::where, Effect::bad, "wakeups on another node than the waker's"},
    {"wake.prev.same.share", Part::where, Effect::good, "wakeups on the CPU last run on"},
    {"missed.prev", Part::missed, Effect::bad, "wakeups that left an idle previous CPU"},
    {"missed.cluster", Part::missed, Effect::bad, "wakeups past an idle CPU of the cluster"},
    {"missed.idle", Part::missed, Effect::bad, "wakeups on a busy CPU beside an idle one"},
    {"stacked", Part::missed, Effect::bad, "wakeups stacked on a CPU"},
    {"migrations", Part::migrations, Effect::bad, "migrations"},
    {"migrations.wakeup", Part::migrations, Effect::bad, "migrations at wakeup"},
    {"migrations.exec", Part::migrations, Effect::bad, "migrations at exec"},
    {"migrations.balance", Part::migrations, Effect::bad, "migrations by load balancing"},
    {"migrations.cap_down", Part::migrations, Effect::bad, "migrations to a smaller CPU"},
    {"waste.wait.share", Part::waiting, Effect::bad, "waiting while a CPU was idle"},
    {"waste.core.share", Part::waiting, Effect::bad, "sharing a core while another was idle"},
    {"waste.cluster.share", Part::waiting, Effect::bad, "sharing a cluster while another was idle"},
    {"waste.llc.share", Part::waiting, Effect::bad, "sharing a cache while another was idle"},
    {"waste.node.share", Part::waiting, Effect::bad, "sharing a node while another was idle"},
    {"share.fairness", Part::waiting, Effect::good, "fairness"},
    {"insn_per_op", Part::path, Effect::bad, "instructions per operation"},
};

struct Moved {
    const Mechanism *mechanism;
    const Comparison *row;

    bool rose() const { return (row->change > 0) == (mechanism->told == Told::itself); }
    bool hurts() const { return rose() == (mechanism->effect == Effect::bad); }
    // By how much, as a part of what there was: shares are parts already.
    double weight() const {
        if (row->metric.kind == MetricKind::share || row->scale == Scale::relative)
            return std::abs(row->change);
        return std::abs(row->change) / std::max({1.0, std::abs(row->median_a), std::abs(row->median_b)});
    }
};

std::string phrase(const Moved &moved) {
    const Comparison &c = *moved.row;
    const auto value = [&](double v) { return value_words(c.metric, moved.mechanism->told == Told::rest ? 1 - v : v); };
    return fmt::format("{} {} from {} to {}", moved.mechanism->words, moved.rose() ? "rose" : "fell",
                       value(c.median_a), value(c.median_b));
}

// A row that says what the score itself says explains nothing: migrations are no reason for migrations, and their
// causes are.
bool says_the_same(const Mechanism &mechanism, const Comparison &score) { return mechanism.metric == score.metric.name; }

std::vector<Moved> what_moved(std::span<const Comparison> comparisons, const Comparison &score) {
    std::map<Part, Moved> most;
    for (const Mechanism &mechanism : mechanisms) {
        const auto row = std::ranges::find_if(
            comparisons, [&](const Comparison &c) { return c.metric.name == mechanism.metric; });
        if (row == comparisons.end() || !row->moved || says_the_same(mechanism, score))
            continue;
        const Moved moved{&mechanism, &*row};
        const auto [known, is_new] = most.try_emplace(mechanism.part, moved);
        if (!is_new && moved.weight() > known->second.weight())
            known->second = moved;
    }
    std::vector<Moved> result;
    for (const auto &[part, moved] : most)
        result.push_back(moved);
    return result;
}

std::string joined(const std::vector<Moved> &moves) {
    std::string text;
    for (const Moved &moved : moves)
        text += (text.empty() ? "" : ", ") + phrase(moved);
    return text;
}

std::string score_words(const Comparison &c) {
    if (c.verdict == Verdict::same)
        return c.metric.name + " is the same";
    if (c.verdict == Verdict::unknown)
        return fmt::format("whether {} changed is unknown", c.metric.name);
    const char *way = c.change > 0 ? "rose" : "fell";
    if (c.scale == Scale::relative)
        return fmt::format("{} {} by {}", c.metric.name, way, percent_words(std::abs(c.change)));
    return fmt::format("{} {} from {} to {}", c.metric.name, way, value_words(c.metric, c.median_a),
                       value_words(c.metric, c.median_b));
}

Explanation explain_one(const Comparison &score, std::span<const Comparison> comparisons) {
    const std::vector<Moved> moves = what_moved(comparisons, score);
    const std::string words = score_words(score);
    if (moves.empty())
        return {score.metric.name, Agreement::none, words + ": no mechanism seen"};
    if (!score.moved)
        return {score.metric.name, Agreement::open, fmt::format("{}, though {}", words, joined(moves))};
    const bool worse = score.verdict == Verdict::worse;
    std::vector<Moved> with, against;
    for (const Moved &moved : moves)
        (moved.hurts() == worse ? with : against).push_back(moved);
    if (against.empty())
        return {score.metric.name, Agreement::agrees, fmt::format("{}; {}: agrees", words, joined(with))};
    if (with.empty())
        return {score.metric.name, Agreement::against, fmt::format("{}; {}: speaks against it", words, joined(against))};
    return {score.metric.name, Agreement::mixed,
            fmt::format("{}; {}: agrees; {}: speaks against it", words, joined(with), joined(against))};
}

} // namespace

std::string_view to_string(Agreement agreement) {
    switch (agreement) {
    case Agreement::agrees: return "agrees";
    case Agreement::mixed: return "mixed";
    case Agreement::against: return "against";
    case Agreement::open: return "open";
    case Agreement::none: break;
    }
    return "none";
}

std::vector<Explanation> explain(std::span<const Comparison> comparisons) {
    std::vector<Explanation> result;
    for (const Comparison &c : comparisons)
        if (c.primary && c.verdict)
            result.push_back(explain_one(c, comparisons));
    return result;
}

} // namespace schedlab
