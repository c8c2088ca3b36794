// SPDX-License-Identifier: GPL-2.0-or-later
#include "probes/share_metrics.h"

#include <algorithm>

namespace schedlab {

std::vector<Metric> share_metrics(const std::vector<TaskTime> &tasks, bool each) {
    double runs = 0, able = 0;
    for (const TaskTime &task : tasks) {
        runs += task.runs;
        able += task.runs + task.waits;
    }
    std::vector<Metric> metrics;
    const auto add = [&](const std::string &name, MetricKind kind, Direction direction, double value) {
        metrics.push_back({"share." + name, "1", MetricClass::placement, direction, kind, value});
    };
    double sum = 0, squares = 0, least = 1, most = 1;
    int counted = 0;
    for (const TaskTime &task : tasks) {
        const double fair = able > 0 ? runs * (task.runs + task.waits) / able : 0;
        if (fair <= 0)
            continue; // never wanted to run
        const double got = task.runs / fair;
        least = counted ? std::min(least, got) : got;
        most = counted ? std::max(most, got) : got;
        sum += got;
        squares += got * got;
        ++counted;
        if (each)
            add("task." + task.name, MetricKind::value, Direction::neutral, got);
    }
    std::vector<Metric> of_tasks = std::move(metrics);
    metrics.clear();
    add("tasks", MetricKind::count, Direction::neutral, counted);
    if (counted > 0) {
        add("ran", MetricKind::share, Direction::higher_is_better, runs / able);
        add("least", MetricKind::value, Direction::higher_is_better, least);
        add("most", MetricKind::value, Direction::lower_is_better, most);
        add("fairness", MetricKind::share, Direction::higher_is_better, sum * sum / (counted * squares));
    }
    std::ranges::move(of_tasks, std::back_inserter(metrics));
    return metrics;
}

} // namespace schedlab
