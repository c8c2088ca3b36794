// SPDX-License-Identifier: GPL-2.0-or-later
// The single values that make up one result, such as the times of its frames.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "core/record.h"

namespace schedlab {

class Sample {
public:
    void add(double value);
    void add(const Sample &other);
    bool empty() const { return values_.empty(); }
    std::size_t size() const { return values_.size(); }
    // Of at least one value:
    double mean() const;
    double percentile(double percent) const; // by nearest rank: one of the values
    double least() const { return percentile(0); }
    double most() const { return percentile(100); }
    std::size_t above(double limit) const;

private:
    void sort() const;
    mutable std::vector<double> values_;
    mutable bool sorted_ = true;
};

// frames, frame_ms.{mean,p25,p50,p75,p95,p99} and janks, behind `prefix`. `ms` is not empty.
void add_frames(Record &record, const std::string &prefix, const Sample &ms, std::size_t janks);

} // namespace schedlab
