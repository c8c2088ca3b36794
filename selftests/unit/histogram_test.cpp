// SPDX-License-Identifier: GPL-2.0-or-later
#include "core/histogram.h"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <memory>
#include <random>
#include <vector>

using namespace schedlab;

TEST_CASE("histogram: small values are exact", "[histogram]") {
    const auto histogram = std::make_unique<Histogram>();
    CHECK(histogram->quantile(0.5) == 0);
    CHECK(histogram->mean() == 0);
    for (std::uint64_t value = 1; value <= 100; ++value)
        histogram->add(value);
    CHECK(histogram->count() == 100);
    CHECK(histogram->sum() == 5050);
    CHECK(histogram->mean() == 50.5);
    CHECK(histogram->max() == 100);
    for (int percent = 1; percent <= 100; ++percent)
        CHECK(histogram->quantile(percent / 100.0) == std::uint64_t(percent));
    CHECK(histogram->quantile(0) == 1);
}

TEST_CASE("histogram: a quantile is too high by at most 1/64", "[histogram]") {
    std::mt19937_64 random(1);
    std::vector<std::uint64_t> values;
    const auto histogram = std::make_unique<Histogram>(), half = std::make_unique<Histogram>();
    for (int i = 0; i < 20000; ++i) {
        values.push_back(random() >> (random() % 64));
        (i % 2 ? *histogram : *half).add(values.back());
    }
    values.push_back(UINT64_MAX);
    half->add(UINT64_MAX);
    histogram->add(*half);
    std::ranges::sort(values);
    REQUIRE(histogram->count() == values.size());
    CHECK(histogram->max() == values.back());
    for (double q = 0.01; q <= 1; q += 0.01) {
        const std::uint64_t exact = values[std::size_t(std::ceil(q * double(values.size()) - 1e-9)) - 1];
        const std::uint64_t told = histogram->quantile(q);
        CHECK(told >= exact);
        CHECK(told - exact <= exact / 64);
    }
}
