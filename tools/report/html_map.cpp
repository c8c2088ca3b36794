// SPDX-License-Identifier: GPL-2.0-or-later
// Migrations drawn on the machine: CPUs in a row, boxed as the scheduler's domains group them, a's migrations as arcs above
// and b's below.
#include <algorithm>
#include <charconv>
#include <cmath>
#include <fmt/format.h>
#include <map>
#include <numeric>
#include <optional>

#include "report/comparison_words.h"
#include "report/html.h"

namespace schedlab {

namespace {

struct Group {
    std::string name; // the domain's: "MC"
    Distance distance;
    CpuSet cpus;
};

// What CPUs of such a domain, and of none below it, share.
Distance distance_of(const Domain &domain) {
    const auto has = [&](const char *flag) { return std::ranges::find(domain.flags, flag) != domain.flags.end(); };
    if (has("SD_SHARE_CPUCAPACITY"))
        return Distance::smt;
    if (has("SD_CLUSTER"))
        return Distance::cluster;
    if (has("SD_SHARE_LLC") || has("SD_SHARE_PKG_RESOURCES"))
        return Distance::llc;
    return has("SD_NUMA") ? Distance::remote : Distance::node;
}

bool inside(const CpuSet &inner, const CpuSet &outer) {
    return std::ranges::all_of(inner, [&](int cpu) { return outer.contains(cpu); });
}
bool apart(const CpuSet &x, const CpuSet &y) {
    return std::ranges::none_of(x, [&](int cpu) { return y.contains(cpu); });
}

// Each group once, the largest first. What crosses a larger group (as nodes' domains may) cannot be drawn as a box.
std::vector<Group> groups_of(const ComparisonReport &report) {
    std::vector<Group> all, nested;
    for (const CpuDomains &cpu : report.domains)
        for (const Domain &domain : cpu.levels)
            if (!domain.span.empty() && std::ranges::find(all, domain.span, &Group::cpus) == all.end())
                all.push_back({domain.name, distance_of(domain), domain.span});
    std::ranges::stable_sort(all, std::greater(), [](const Group &g) { return g.cpus.size(); });
    for (const Group &group : all)
        if (std::ranges::all_of(nested, [&](const Group &n) { return inside(group.cpus, n.cpus) || apart(group.cpus, n.cpus); }))
            nested.push_back(group);
    return nested;
}

class Map {
public:
    explicit Map(const ComparisonReport &report) : groups_(groups_of(report)) {
        std::vector<std::pair<std::vector<std::size_t>, int>> order; // by the groups around it, the outermost first
        for (const CpuDomains &cpu : report.domains)
            order.push_back({around(cpu.cpu), cpu.cpu});
        std::ranges::sort(order);
        for (const auto &[groups, cpu] : order)
            depth_ = std::max(depth_, groups.size());
        std::vector<double> gaps(order.size(), 0.0); // before each CPU
        for (std::size_t i = 1; i < order.size(); ++i)
            if (const double both = overhang(order[i - 1].second, order[i].second) + overhang(order[i].second, order[i - 1].second))
                gaps[i] = both + between;
        width_ = 2 * edge() + std::accumulate(gaps.begin(), gaps.end(), 0.0);
        cell_ = std::clamp((widest - width_) / double(order.size()), 5.0, 44.0);
        double x = edge() - cell_ / 2;
        for (std::size_t i = 0; i < order.size(); ++i)
            x_[order[i].second] = x += gaps[i] + cell_;
        width_ += cell_ * double(order.size());
    }

    // From or to "cpu3", "llc32": the group is called after its first CPU.
    std::optional<double> place(std::string_view name) const {
        const std::size_t digits = std::min(name.find_first_of("0123456789"), name.size());
        int cpu = -1;
        const auto [end, error] = std::from_chars(name.data() + digits, name.data() + name.size(), cpu);
        if (error != std::errc() || end != name.data() + name.size() || !x_.contains(cpu))
            return std::nullopt;
        for (const Group &group : groups_)
            if (to_string(group.distance) == name.substr(0, digits) && group.cpus.contains(cpu))
                return middle(group.cpus);
        return x_.at(cpu);
    }

    // Middles of the groups, or CPUs, that a group is made of.
    std::vector<double> parts(const Group &whole) const {
        std::vector<double> middles;
        std::vector<int> seen;
        for (const Group &group : groups_)
            if (group.cpus.size() < whole.cpus.size() && inside(group.cpus, whole.cpus) &&
                std::ranges::find(seen, group.cpus.first()) == seen.end()) {
                middles.push_back(middle(group.cpus));
                seen.insert(seen.end(), group.cpus.begin(), group.cpus.end());
            }
        for (const int cpu : whole.cpus)
            if (std::ranges::find(seen, cpu) == seen.end() && x_.contains(cpu))
                middles.push_back(x_.at(cpu));
        std::ranges::sort(middles);
        return middles;
    }

    const std::vector<Group> &groups() const { return groups_; }
    double width() const { return width_; }
    double height() const { return 2 * edge() + 16; } // of the boxes, which begin at 0

    std::string boxes() const {
        std::string svg;
        for (const Group &group : groups_) {
            const double out = overhang(group), in = edge() - out;
            const auto [low, high] = ends(group.cpus);
            svg += fmt::format(R"(<rect class="box" x="{:.1f}" y="{:.1f}" width="{:.1f}" height="{:.1f}"><title>{} {}</title></rect>)",
                               low - cell_ / 2 - out, in, high - low + cell_ + 2 * out, height() - 2 * in,
                               escaped(group.name), group.cpus.to_list());
        }
        for (const auto &[cpu, x] : x_)
            if (cell_ >= 18 || cpu % 8 == 0)
                svg += fmt::format(R"(<text x="{:.1f}" y="{:.1f}" text-anchor="middle">{}</text>)", x, height() / 2 + 4, cpu);
        return svg;
    }

private:
    static constexpr double widest = 1100, pad = 5, between = 3;
    double edge() const { return pad * double(depth_) + 3; }

    // How far a group's box reaches beyond its CPUs: less the more boxes it lies in.
    double overhang(const Group &group) const { return edge() - pad * double(around(group.cpus.first(), group.cpus.size())); }
    // The farthest of the boxes around a CPU that do not hold the other one.
    double overhang(int cpu, int other) const {
        double farthest = 0;
        for (const Group &group : groups_)
            if (group.cpus.contains(cpu) && !group.cpus.contains(other))
                farthest = std::max(farthest, overhang(group));
        return farthest;
    }

    std::vector<std::size_t> around(int cpu) const {
        std::vector<std::size_t> found;
        for (std::size_t i = 0; i < groups_.size(); ++i)
            if (groups_[i].cpus.contains(cpu))
                found.push_back(i);
        return found;
    }
    // How many groups larger than `size` are around a CPU.
    std::size_t around(int cpu, std::size_t size) const {
        return std::size_t(std::ranges::count_if(groups_, [&](const Group &g) { return g.cpus.contains(cpu) && g.cpus.size() > size; }));
    }
    std::pair<double, double> ends(const CpuSet &cpus) const {
        double low = widest, high = 0;
        for (const int cpu : cpus)
            if (const auto at = x_.find(cpu); at != x_.end()) {
                low = std::min(low, at->second);
                high = std::max(high, at->second);
            }
        return {low, high};
    }
    double middle(const CpuSet &cpus) const {
        const auto [low, high] = ends(cpus);
        return (low + high) / 2;
    }

    std::vector<Group> groups_;
    std::map<int, double> x_;
    std::size_t depth_ = 0;
    double cell_ = 0, width_ = 0;
};

struct Arc {
    double from, to; // x
    double a, b;     // migrations, medians
    std::string words;
};

// "migrations.cpu0.cpu4" and back, as the view `cpus` has them.
std::vector<Arc> arcs_between(const ComparisonReport &report, const Map &map) {
    std::vector<Arc> arcs;
    for (const Comparison &c : report.metrics) {
        const std::string_view name = c.metric.name;
        const std::size_t first = name.find('.'), second = name.find('.', first + 1);
        if (!between_cpus(c) || is_zero(c))
            continue;
        const std::string_view from = name.substr(first + 1, second - first - 1), to = name.substr(second + 1);
        const auto x = map.place(from), y = map.place(to);
        if (x && y)
            arcs.push_back({*x, *y, c.median_a, c.median_b, fmt::format("{} to {}", from, to)});
    }
    return arcs;
}

// Without them it is known how far tasks moved, not between which CPUs: each distance is drawn wherever it can be.
std::vector<Arc> arcs_by_distance(const ComparisonReport &report, const Map &map) {
    std::vector<Arc> arcs;
    for (const Group &group : map.groups()) {
        const Comparison *c = find_metric(report, fmt::format("migrations.{}", to_string(group.distance)));
        if (!c || is_zero(*c))
            continue;
        const std::vector<double> parts = map.parts(group);
        for (std::size_t i = 1; i < parts.size(); ++i)
            arcs.push_back({parts[i - 1], parts[i], c->median_a, c->median_b, fmt::format("at distance {}", to_string(group.distance))});
    }
    return arcs;
}

// How far the middle of an arc lies from the boxes. Those to the right are flat, those to the left steep, so that there and
// back are two arcs.
double rise(const Arc &arc) {
    constexpr double highest = 91;
    return std::min(highest, 9 + std::abs(arc.to - arc.from) * (arc.to > arc.from ? 0.175 : 0.3));
}

std::string drawn(const Arc &arc, const Map &map, double most, bool of_b) {
    const double value = of_b ? arc.b : arc.a;
    if (value <= 0)
        return {};
    const double y = of_b ? map.height() : 0, control = 2 * rise(arc); // half-way between the ends and it the curve turns
    return fmt::format(R"(<path class="arc {}" d="M{:.1f} {:.1f}Q{:.1f} {:.1f} {:.1f} {:.1f}" stroke-width="{:.1f}"><title>{}: {:.0f} {}</title></path>)",
                       of_b ? "b" : "a", arc.from, y, (arc.from + arc.to) / 2, y + (of_b ? control : -control), arc.to, y,
                       0.7 + 6 * value / most, of_b ? "b" : "a", value, arc.words);
}

} // namespace

std::string migration_map(const ComparisonReport &report) {
    if (report.domains.empty())
        return {};
    const Map map(report);
    std::vector<Arc> arcs = arcs_between(report, map);
    const bool exact = !arcs.empty();
    if (!exact)
        arcs = arcs_by_distance(report, map);
    constexpr double line = 4; // half of the thickest
    double most = 0, above = line, below = line;
    for (const Arc &arc : arcs) {
        most = std::max({most, arc.a, arc.b});
        above = std::max(above, arc.a > 0 ? rise(arc) + line : 0);
        below = std::max(below, arc.b > 0 ? rise(arc) + line : 0);
    }
    if (most == 0)
        return {};
    std::string svg = fmt::format(R"(<svg class="map" viewBox="0 {2:.0f} {0:.0f} {1:.0f}" width="{0:.0f}" height="{1:.0f}" role="img"><title>)"
                                  "migrations on the machine's CPUs: a above, b below</title>",
                                  map.width(), above + map.height() + below, -above);
    svg += map.boxes();
    for (const Arc &arc : arcs)
        svg += drawn(arc, map, most, false) + drawn(arc, map, most, true);
    return fmt::format("<h2 id=\"map\">Migrations on the machine</h2>\n<p class=\"key\">CPUs in the groups that the scheduler's "
                       "domains make. <span class=\"a\">a above</span>, <span class=\"b\">b below</span>; the thickest arc: {:.0f}. {}</p>\n"
                       "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"map of migrations\">{}</svg></div>\n", most,
                       exact ? "From left to right flat, back steep."
                             : "Counted by distance: all arcs of a level together are as many as one arc is thick. "
                               "--probe placement:cpus tells between which CPUs.", svg);
}

} // namespace schedlab
