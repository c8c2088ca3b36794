// SPDX-License-Identifier: GPL-2.0-or-later
#include "core/sequential.h"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_floating_point.hpp>

using namespace schedlab;
using Catch::Matchers::WithinAbs;

TEST_CASE("sequential: the levels of all looks add up to the usual one", "[sequential]") {
    CHECK_THAT(level_of_look(1), WithinAbs(usual_level / 2, 1e-12));
    CHECK_THAT(level_of_look(2), WithinAbs(usual_level / 6, 1e-12));
    double spent = 0;
    for (std::size_t look = 1; look <= 100'000; ++look)
        spent += level_of_look(look);
    CHECK(spent < usual_level);
    CHECK_THAT(spent, WithinAbs(usual_level, 1e-6));
}

TEST_CASE("sequential: looks are whole blocks, ever further apart", "[sequential]") {
    std::vector<std::size_t> looks{first_look};
    while (looks.size() < 7)
        looks.push_back(boots_after(looks.back()));
    CHECK(looks == std::vector<std::size_t>{6, 8, 12, 18, 26, 38, 56});
    CHECK(boots_after(4) == 6);
}

TEST_CASE("sequential: settled is every primary metric, and at least one", "[sequential]") {
    std::vector<Comparison> all(3);
    CHECK_FALSE(settled(all));
    all[0].primary = all[1].primary = true;
    all[0].verdict = Verdict::same;
    CHECK_FALSE(settled(all));
    all[1].verdict = Verdict::unknown;
    CHECK_FALSE(settled(all));
    all[1].verdict = Verdict::worse;
    CHECK(settled(all)); // the third decides nothing
    all[1].verdict.reset();
    CHECK_FALSE(settled(all));
    all[1].moved = true; // of a metric that has no better side: more boots tell no more
    CHECK(settled(all));
}
