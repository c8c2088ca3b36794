// SPDX-License-Identifier: GPL-2.0-or-later
// Simulated measurements with a known truth, to see how often the rules are wrong. Boots differ by a normal offset, and
// samples within a boot scatter around its own level. The same arguments give the same numbers.
#pragma once

#include <cstddef>

#include "core/compare.h"

namespace schedlab::simulation {

struct Study {
    double boot_noise = 0.01; // standard deviation between boots, a fraction
    std::size_t boots = 10;   // per arm
    double planted = 0;       // by how much b is more, a fraction
    std::size_t repetitions = 1000;
};

// How often a change was claimed (better or worse), as a part of all repetitions.
double claims(const Study &study, const CompareRules &rules = {});

// The same data, and the common mistake: all samples pooled over boots and tested as if they were independent.
double naive_claims(const Study &study);

// `study.boots` is the budget: looks are taken as `ab --until-settled` takes them.
struct Sequential {
    double claims = 0, settled = 0; // parts of all repetitions
    double boots = 0;               // per arm, on average
};
Sequential sequentially(const Study &study, const CompareRules &rules = {});

} // namespace schedlab::simulation
