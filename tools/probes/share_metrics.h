// SPDX-License-Identifier: GPL-2.0-or-later
// The pure half of the share probe: what its times mean.
#pragma once

#include <string>
#include <vector>

#include "core/metric.h"

namespace schedlab {

// Nanoseconds between start and stop.
struct TaskTime {
    std::string name; // "COMM:PID"
    double runs = 0, waits = 0;
};

// A task's fair share of the time that all of them ran is its part of the time that all of them could have: ran or
// waited. Rows about single tasks ("share.task.COMM:PID", 1: its fair share exactly) only if `each`.
std::vector<Metric> share_metrics(const std::vector<TaskTime> &tasks, bool each);

} // namespace schedlab
