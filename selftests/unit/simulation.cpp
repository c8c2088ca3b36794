// SPDX-License-Identifier: GPL-2.0-or-later
#include "simulation.h"

#include <algorithm>
#include <random>

#include "core/permutation.h"
#include "core/sequential.h"

namespace schedlab::simulation {

namespace {

constexpr std::size_t samples_per_boot = 20;
constexpr double sample_noise = 0.01; // within a boot

using Values = std::vector<double>;

struct Arm {
    Values boots;   // the mean of each one's samples
    Values samples; // all, boot by boot
};

class Drawer {
public:
    explicit Drawer(const Study &study) : study_(study) {}

    Arm arm(double level) {
        Arm drawn;
        for (std::size_t boot = 0; boot < study_.boots; ++boot) {
            const double here = level * (1 + study_.boot_noise * normal_(random_));
            for (std::size_t i = 0; i < samples_per_boot; ++i)
                drawn.samples.push_back(here * (1 + sample_noise * normal_(random_)));
            drawn.boots.push_back(mean(std::span(drawn.samples).last(samples_per_boot)));
        }
        return drawn;
    }
    Arm a() { return arm(1000); }
    Arm b() { return arm(1000 * (1 + study_.planted)); }

private:
    const Study &study_;
    std::mt19937_64 random_{20201109};
    std::normal_distribution<double> normal_;
};

const Metric throughput{"ops_per_sec", "1/s", MetricClass::time, Direction::higher_is_better, MetricKind::value, 0};

bool claimed(const Comparison &c) { return c.verdict == Verdict::better || c.verdict == Verdict::worse; }

double part(std::size_t count, const Study &study) { return double(count) / double(study.repetitions); }

} // namespace

double claims(const Study &study, const CompareRules &rules) {
    Drawer drawer(study);
    std::size_t count = 0;
    for (std::size_t i = 0; i < study.repetitions; ++i) {
        const Arm a = drawer.a(), b = drawer.b();
        count += claimed(compare(throughput, a.boots, b.boots, false, rules));
    }
    return part(count, study);
}

double naive_claims(const Study &study) {
    Drawer drawer(study);
    std::size_t count = 0;
    for (std::size_t i = 0; i < study.repetitions; ++i) {
        const Arm a = drawer.a(), b = drawer.b();
        count += rank_sum_p(a.samples, b.samples) <= usual_level;
    }
    return part(count, study);
}

Sequential sequentially(const Study &study, const CompareRules &rules) {
    Drawer drawer(study);
    std::size_t claims = 0, ended = 0, boots = 0;
    for (std::size_t i = 0; i < study.repetitions; ++i) {
        const Arm a = drawer.a(), b = drawer.b();
        CompareRules of_look = rules;
        std::size_t seen = first_look;
        for (std::size_t look = 1;; ++look) {
            of_look.level = level_of_look(look);
            Comparison c = compare(throughput, std::span(a.boots).first(seen), std::span(b.boots).first(seen), false,
                                   of_look);
            c.primary = true;
            const bool done = settled({&c, 1});
            claims += claimed(c);
            ended += done;
            if (done || boots_after(seen) > study.boots)
                break;
            seen = boots_after(seen);
        }
        boots += seen;
    }
    return {part(claims, study), part(ended, study), part(boots, study)};
}

} // namespace schedlab::simulation
