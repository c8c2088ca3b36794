// SPDX-License-Identifier: GPL-2.0-or-later
#include "core/histogram.h"

#include <algorithm>
#include <cmath>

namespace schedlab {

void Histogram::add(const Histogram &other) {
    for (int i = 0; i < bucket_count; ++i)
        buckets_[i] += other.buckets_[i];
    count_ += other.count_;
    sum_ += other.sum_;
    max_ = std::max(max_, other.max_);
}

double Histogram::mean() const { return count_ ? double(sum_) / double(count_) : 0; }

std::uint64_t Histogram::quantile(double q) const {
    // A hair less, as 0.07 * 100 is a hair more than 7.
    const auto rank = std::max<std::uint64_t>(1, std::uint64_t(std::ceil(q * double(count_) - 1e-9)));
    std::uint64_t seen = 0;
    for (int i = 0; i < bucket_count; ++i)
        if ((seen += buckets_[i]) >= rank)
            return std::min(highest_in(i), max_);
    return 0;
}

std::uint64_t Histogram::highest_in(int bucket) {
    if (bucket < (2 << linear_bits))
        return std::uint64_t(bucket);
    const int shift = (bucket >> linear_bits) - 1;
    const std::uint64_t lowest = std::uint64_t(bucket - (shift << linear_bits)) << shift;
    return lowest + ((1ull << shift) - 1);
}

} // namespace schedlab
