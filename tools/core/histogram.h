// SPDX-License-Identifier: GPL-2.0-or-later
// A log-linear histogram of whole numbers, such as nanoseconds. It is plain memory, all zeros when empty, so tasks
// of a load can keep one in memory that they share with the one who measures.
#pragma once

#include <array>
#include <bit>
#include <cstdint>

namespace schedlab {

class Histogram {
public:
    void add(std::uint64_t value) {
        ++buckets_[index_of(value)];
        ++count_;
        sum_ += value;
        max_ = value > max_ ? value : max_;
    }
    void add(const Histogram &other);

    std::uint64_t count() const { return count_; } // exact, as sum and max are
    std::uint64_t sum() const { return sum_; }
    std::uint64_t max() const { return max_; }
    double mean() const; // 0 if it is empty, as quantiles are

    // The value at rank ceil(q * count), 0 <= q <= 1: too high by at most 1/64 of it, and never above max().
    std::uint64_t quantile(double q) const;

private:
    // Values below 128 have a bucket each. Above, each power of two is cut into 64 buckets, so a bucket is at most
    // 1/64 of its lowest value wide.
    static constexpr int linear_bits = 6;
    static constexpr int bucket_count = (64 - linear_bits + 1) << linear_bits;

    static int index_of(std::uint64_t value) {
        const int shift = value < (2 << linear_bits) ? 0 : std::bit_width(value) - linear_bits - 1;
        return (shift << linear_bits) + int(value >> shift);
    }
    static std::uint64_t highest_in(int bucket);

    std::array<std::uint64_t, bucket_count> buckets_{};
    std::uint64_t count_ = 0, sum_ = 0, max_ = 0;
};

} // namespace schedlab
