// SPDX-License-Identifier: GPL-2.0-or-later
#include "import/sample.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "import/format.h"

namespace schedlab {

void Sample::add(double value) {
    sorted_ = sorted_ && (values_.empty() || values_.back() <= value);
    values_.push_back(value);
}

void Sample::add(const Sample &other) {
    for (const double value : other.values_)
        add(value);
}

void Sample::sort() const {
    if (!sorted_)
        std::ranges::sort(values_);
    sorted_ = true;
}

double Sample::mean() const { return std::accumulate(values_.begin(), values_.end(), 0.0) / double(size()); }

double Sample::percentile(double percent) const {
    sort();
    const double rank = std::ceil(double(size()) * percent / 100);
    return values_[std::size_t(std::max(rank, 1.0)) - 1];
}

std::size_t Sample::above(double limit) const {
    sort();
    return std::size_t(values_.end() - std::ranges::upper_bound(values_, limit));
}

void add_frames(Record &record, const std::string &prefix, const Sample &ms, std::size_t janks) {
    const auto add = [&](const std::string &name, double value) {
        record.metrics.push_back(imported_time(prefix + "frame_ms." + name, "ms", Direction::lower_is_better, value));
    };
    record.metrics.push_back(imported_count(prefix + "frames", Direction::neutral, double(ms.size())));
    add("mean", ms.mean());
    for (const int percent : {25, 50, 75, 95, 99})
        add("p" + std::to_string(percent), ms.percentile(percent));
    record.metrics.push_back(imported_count(prefix + "janks", Direction::lower_is_better, double(janks)));
}

} // namespace schedlab
