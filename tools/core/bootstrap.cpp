// SPDX-License-Identifier: GPL-2.0-or-later
#include "core/bootstrap.h"

#include <algorithm>
#include <numeric>
#include <random>

namespace schedlab {

namespace {

// Below `bound`, by multiplication (Lemire 2019) and not by std::uniform_int_distribution, which may differ from one
// library to the next.
std::size_t draw(std::mt19937_64 &random, std::size_t bound) { return ((random() >> 32) * bound) >> 32; }

// An arm's runs drawn again and again: how much each weighs in the mean.
class Draws {
public:
    explicit Draws(const NestedRuns &arm) : arm_(arm) {
        first_run_.resize(arm.runs.size());
        std::exclusive_scan(arm.runs.begin(), arm.runs.end(), first_run_.begin(), std::size_t{0});
        weights_.resize(first_run_.back() + arm.runs.back());
    }

    void draw_again(std::mt19937_64 &random) {
        std::ranges::fill(weights_, 0.0);
        const std::size_t boots = arm_.runs.size(), drawn = boots - 1;
        for (std::size_t i = 0; i < drawn; ++i) {
            const std::size_t boot = draw(random, boots), runs = arm_.runs[boot];
            for (std::size_t j = 0; j < runs; ++j)
                weights_[first_run_[boot] + draw(random, runs)] += 1 / double(drawn * runs);
        }
    }

    double mean(std::size_t metric) const {
        return std::inner_product(weights_.begin(), weights_.end(), arm_.values[metric].begin(), 0.0);
    }

private:
    const NestedRuns &arm_;
    std::vector<std::size_t> first_run_; // of each boot
    std::vector<double> weights_;        // of each run
};

Interval middle_part(std::vector<double> &values, double level) {
    const auto outside = std::ptrdiff_t(level / 2 * double(values.size()));
    const auto low = values.begin() + outside, high = values.end() - 1 - outside;
    std::nth_element(values.begin(), low, values.end());
    std::nth_element(low + 1, high, values.end());
    return {*low, *high};
}

} // namespace

std::vector<Interval> mean_shift_intervals(const NestedRuns &a, const NestedRuns &b, double level,
                                           std::size_t resamples, std::uint64_t seed) {
    std::mt19937_64 random(seed);
    Draws draws_a(a), draws_b(b);
    std::vector<std::vector<double>> shifts(a.values.size(), std::vector<double>(resamples));
    for (std::size_t i = 0; i < resamples; ++i) {
        draws_a.draw_again(random);
        draws_b.draw_again(random);
        for (std::size_t metric = 0; metric < shifts.size(); ++metric)
            shifts[metric][i] = draws_b.mean(metric) - draws_a.mean(metric);
    }
    std::vector<Interval> intervals;
    for (std::vector<double> &of_metric : shifts)
        intervals.push_back(middle_part(of_metric, level));
    return intervals;
}

} // namespace schedlab
