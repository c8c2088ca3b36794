// SPDX-License-Identifier: GPL-2.0-or-later
#include "core/permutation.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numbers>
#include <numeric>

namespace schedlab {

namespace {

using Shares = std::vector<double>; // shares[s]: the share of all dealings in which a statistic is s

struct Block {
    std::span<const double> a, b;
};

std::vector<Block> split(std::span<const double> a, std::span<const double> b, Blocks sizes) {
    if (sizes.empty())
        return {{a, b}};
    std::vector<Block> blocks;
    std::size_t begin = 0;
    for (const std::size_t size : sizes) {
        blocks.push_back({a.subspan(begin, size), b.subspan(begin, size)});
        begin += size;
    }
    return blocks;
}

// Finite values as integers in the same order, neighbours next to each other; and back.
std::int64_t place_of(double value) {
    const auto bits = std::bit_cast<std::int64_t>(value);
    return bits >= 0 ? bits : std::numeric_limits<std::int64_t>::min() - bits;
}
double value_at(std::int64_t place) {
    return std::bit_cast<double>(place >= 0 ? place : std::numeric_limits<std::int64_t>::min() - place);
}

// All differences between a value of b and one of a, within blocks. They are counted and never made: there are as many as
// the product of the arms, a hundred million for ten thousand values each.
class Differences {
public:
    explicit Differences(const std::vector<Block> &blocks) {
        for (const Block &block : blocks) {
            Arms &arms = blocks_.emplace_back(Arms{{block.a.begin(), block.a.end()}, {block.b.begin(), block.b.end()}});
            std::ranges::sort(arms.a);
            std::ranges::sort(arms.b);
            count_ += arms.a.size() * arms.b.size();
            least_ = std::min(least_, arms.b.front() - arms.a.back());
            most_ = std::max(most_, arms.b.back() - arms.a.front());
        }
    }

    std::size_t count() const { return count_; }

    // In ascending order the one with `before` others before it: the least up to which there are more than so many.
    double at(std::size_t before) const {
        std::int64_t low = place_of(least_), high = place_of(most_);
        while (low < high) {
            const std::int64_t middle = std::midpoint(low, high);
            if (up_to(value_at(middle)) > before)
                high = middle;
            else
                low = middle + 1;
        }
        return value_at(low);
    }

    double median() const {
        const double upper = at(count_ / 2);
        return count_ % 2 ? upper : (at(count_ / 2 - 1) + upper) / 2;
    }

private:
    struct Arms {
        std::vector<double> a, b; // sorted
    };

    std::size_t up_to(double limit) const {
        std::size_t differences = 0;
        for (const Arms &arms : blocks_) {
            std::size_t of_b = 0; // the larger a value of a is, the more values of b are near enough
            for (double x : arms.a) {
                while (of_b < arms.b.size() && arms.b[of_b] - x <= limit)
                    ++of_b;
                differences += of_b;
            }
        }
        return differences;
    }

    std::vector<Arms> blocks_;
    std::size_t count_ = 0;
    double least_ = std::numeric_limits<double>::infinity(), most_ = -least_;
};

// The statistic of two independent parts together.
Shares convolve(const Shares &x, const Shares &y) {
    Shares sum(x.size() + y.size() - 1, 0.0);
    for (std::size_t i = 0; i < x.size(); ++i)
        for (std::size_t j = 0; j < y.size(); ++j)
            sum[i + j] += x[i] * y[j];
    return sum;
}

Shares normalized(Shares ways) {
    const double total = std::accumulate(ways.begin(), ways.end(), 0.0);
    for (double &share : ways)
        share /= total;
    return ways;
}

// Mann and Whitney's U for n against m values without ties: the coefficients of the Gaussian binomial
// (n + m over n), the product of (1 - q^(m + i)) / (1 - q^i) for i = 1 to n. They are symmetric; the upper half is
// mirrored, because its small numbers would be lost among the large ones that they are differences of.
Shares u_distribution(std::size_t n, std::size_t m) {
    const std::size_t top = n * m;
    Shares ways(top + 1, 0.0);
    ways[0] = 1;
    for (std::size_t i = 1; i <= n; ++i) {
        for (std::size_t u = top / 2; u >= m + i; --u)
            ways[u] -= ways[u - m - i];
        for (std::size_t u = i; u <= top / 2; ++u)
            ways[u] += ways[u - i];
    }
    for (std::size_t u = 0; u < top - u; ++u)
        ways[top - u] = ways[u];
    return normalized(std::move(ways));
}

// The sum of `take` of the scores, dealt out in all ways.
Shares sum_distribution(std::span<const int> scores, std::size_t take) {
    const int top = std::accumulate(scores.begin(), scores.end(), 0);
    std::vector<std::vector<double>> ways(take + 1, std::vector<double>(top + 1, 0.0));
    ways[0][0] = 1;
    int so_far = 0;
    for (std::size_t i = 0; i < scores.size(); ++i) {
        so_far += scores[i];
        for (std::size_t k = std::min(take, i + 1); k > 0; --k)
            for (int s = so_far; s >= scores[i]; --s)
                ways[k][s] += ways[k - 1][s - scores[i]];
    }
    return normalized(std::move(ways[take]));
}

// Twice the mid-rank of each value of a, then of b, among all: integers even where ties share a rank.
std::vector<int> doubled_ranks(const Block &block) {
    std::vector<double> all(block.a.begin(), block.a.end());
    all.insert(all.end(), block.b.begin(), block.b.end());
    std::vector<double> sorted = all;
    std::sort(sorted.begin(), sorted.end());
    std::vector<int> ranks;
    for (double v : all) {
        auto [first, last] = std::equal_range(sorted.begin(), sorted.end(), v);
        ranks.push_back(int(first - sorted.begin()) + 1 + int(last - sorted.begin()));
    }
    return ranks;
}

bool are_untied(std::span<const int> doubled) {
    std::vector<int> sorted(doubled.begin(), doubled.end());
    std::sort(sorted.begin(), sorted.end());
    return std::adjacent_find(sorted.begin(), sorted.end()) == sorted.end();
}

// Doubled rank sums: without ties they are twice U, from n (n + 1) on.
Shares rank_sum_distribution(std::span<const int> ranks, std::size_t take) {
    if (!are_untied(ranks))
        return sum_distribution(ranks, take);
    const Shares u = u_distribution(take, ranks.size() - take);
    const std::size_t lowest = take * (take + 1);
    Shares shares(lowest + 2 * u.size() - 1, 0.0);
    for (std::size_t i = 0; i < u.size(); ++i)
        shares[lowest + 2 * i] = u[i];
    return shares;
}

std::vector<int> counts(const Block &block) {
    std::vector<int> result;
    for (const std::span<const double> arm : {block.a, block.b})
        for (double v : arm)
            result.push_back(int(std::lround(v)));
    return result;
}

// The sum of a's scores: what it is, what it would be on average, and how it scatters when scores are dealt out.
struct Sum {
    double seen = 0, expected = 0, variance = 0;

    void add(std::span<const int> scores, std::size_t n) {
        const double all = double(scores.size()), of_a = double(n);
        const double center = std::accumulate(scores.begin(), scores.end(), 0.0) / all;
        double squares = 0;
        for (int score : scores)
            squares += (score - center) * (score - center);
        seen += std::accumulate(scores.begin(), scores.begin() + std::ptrdiff_t(n), 0.0);
        expected += of_a * center;
        variance += of_a * (all - of_a) / (all * (all - 1)) * squares; // drawn without replacement
    }
    double distance() const { return std::abs(seen - expected); }
};

// Continuity: neighbouring sums lie `step` apart.
double normal_p(const Sum &sum, double step) {
    if (sum.variance == 0)
        return 1;
    const double z = std::max(0.0, sum.distance() - step / 2) / std::sqrt(sum.variance);
    return std::min(1.0, std::erfc(z / std::numbers::sqrt2));
}

double exact_p(const Sum &sum, const Shares &shares) {
    constexpr double rounding = 1e-9; // of a mean that is no integer
    double p = 0;
    for (std::size_t s = 0; s < shares.size(); ++s)
        if (std::abs(double(s) - sum.expected) >= sum.distance() - rounding)
            p += shares[s];
    return std::min(1.0, p);
}

double permutation_p(const std::vector<Block> &blocks, std::vector<int> (*scores_of)(const Block &),
                     Shares (*distribution)(std::span<const int>, std::size_t), double step) {
    Sum sum;
    std::size_t values = 0;
    std::vector<std::vector<int>> scores;
    for (const Block &block : blocks) {
        scores.push_back(scores_of(block));
        sum.add(scores.back(), block.a.size());
        values += scores.back().size();
    }
    if (values > exact_limit)
        return normal_p(sum, step);
    Shares shares{1};
    for (std::size_t i = 0; i < blocks.size(); ++i)
        shares = convolve(shares, distribution(scores[i], blocks[i].a.size()));
    return exact_p(sum, shares);
}

// How many of the sorted differences have to be counted off from either end, so that the true shift lies beyond
// them with a probability of at most level / 2 per side; 0: even the outermost are not far enough out.
std::size_t differences_trimmed(const std::vector<Block> &blocks, double level) {
    double values = 0, differences = 0, variance = 0;
    for (const Block &block : blocks) {
        const double n = double(block.a.size()), m = double(block.b.size());
        values += n + m;
        differences += n * m;
        variance += n * m * (n + m + 1) / 12;
    }
    if (values > double(exact_limit))
        return std::size_t(std::max(0.0, differences / 2 - two_sided_z(level) * std::sqrt(variance)));
    Shares shares{1};
    for (const Block &block : blocks)
        shares = convolve(shares, u_distribution(block.a.size(), block.b.size()));
    std::size_t trimmed = 0;
    for (double beyond = shares[0]; beyond <= level / 2; beyond += shares[trimmed])
        ++trimmed;
    return trimmed;
}

} // namespace

double shift(std::span<const double> a, std::span<const double> b, Blocks blocks) {
    return Differences(split(a, b, blocks)).median();
}

std::optional<Interval> shift_interval(std::span<const double> a, std::span<const double> b, double level,
                                       Blocks blocks) {
    const std::vector<Block> parts = split(a, b, blocks);
    const std::size_t trimmed = differences_trimmed(parts, level);
    if (trimmed == 0)
        return std::nullopt;
    const Differences differences(parts);
    return Interval{differences.at(trimmed - 1), differences.at(differences.count() - trimmed)};
}

double rank_sum_p(std::span<const double> a, std::span<const double> b, Blocks blocks) {
    return permutation_p(split(a, b, blocks), doubled_ranks, rank_sum_distribution, 2);
}

double count_sum_p(std::span<const double> a, std::span<const double> b, Blocks blocks) {
    return permutation_p(split(a, b, blocks), counts, sum_distribution, 1);
}

} // namespace schedlab
