// SPDX-License-Identifier: GPL-2.0-or-later
#include "core/corrections.h"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_floating_point.hpp>
#include <vector>

using namespace schedlab;
using Catch::Matchers::WithinRel;
using Values = std::vector<double>;

TEST_CASE("corrections for several questions", "[corrections]") {
    const Values p{0.01, 0.04, 0.03};
    const Values by_holm = holm(p), by_bh = benjamini_hochberg(p);
    CHECK_THAT(by_holm[0], WithinRel(0.03, 1e-12));
    CHECK_THAT(by_holm[2], WithinRel(0.06, 1e-12));
    CHECK_THAT(by_holm[1], WithinRel(0.06, 1e-12)); // never below a smaller p's
    CHECK_THAT(by_bh[0], WithinRel(0.03, 1e-12));
    CHECK_THAT(by_bh[1], WithinRel(0.04, 1e-12));
    CHECK_THAT(by_bh[2], WithinRel(0.04, 1e-12));
    CHECK(holm(Values{}).empty());
}

TEST_CASE("Benjamini and Hochberg's own example", "[corrections]") {
    // Fifteen p-values of a study of thrombolysis (1995, section 4.1): at 5 %, Holm rejects three, they reject four.
    const Values p{0.0001, 0.0004, 0.0019, 0.0095, 0.0201, 0.0278, 0.0298, 0.0344,
                   0.0459, 0.3240, 0.4262, 0.5719, 0.6528, 0.7590, 1.000};
    const auto rejected = [](const Values &corrected) {
        return std::count_if(corrected.begin(), corrected.end(), [](double v) { return v <= 0.05; });
    };
    CHECK(rejected(holm(p)) == 3);
    CHECK(rejected(benjamini_hochberg(p)) == 4);
}
