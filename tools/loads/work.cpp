// SPDX-License-Identifier: GPL-2.0-or-later
#include "loads/work.h"

#include <algorithm>
#include <sched.h>
#include <vector>

#include "loads/clock.h"

namespace schedlab {
namespace {

constexpr std::int64_t chunk_us = 10;
constexpr int full_capacity = 1024;

std::vector<int> capacities; // by CPU number; empty: not scaled

// Each step needs the last one's result, so the time is the multiplier's latency, not the width of the CPU.
void spin(std::int64_t steps) {
    std::uint64_t x = 1;
    for (; steps > 0; --steps) {
        x = x * 6364136223846793005 + 1442695040888963407;
        asm volatile("" : "+r"(x));
    }
}

// Of many short tries the fastest is one that no interrupt and no other task fell into.
double measure_steps_per_us() {
    constexpr std::int64_t steps = 20'000;
    std::int64_t fastest = INT64_MAX;
    for (int i = 0; i < 50; ++i) {
        const std::int64_t started = monotonic_ns();
        spin(steps);
        fastest = std::min(fastest, monotonic_ns() - started);
    }
    return 1e3 * double(steps) / double(std::max<std::int64_t>(fastest, 1));
}

double steps_per_us() {
    static const double measured = measure_steps_per_us();
    return measured;
}

int capacity_here() {
    const int cpu = ::sched_getcpu();
    return cpu >= 0 && std::size_t(cpu) < capacities.size() ? capacities[std::size_t(cpu)] : full_capacity;
}

} // namespace

void scale_work_by_capacity(const Topology &topology) {
    capacities.clear();
    for (const CpuPlace &place : topology.cpus) {
        capacities.resize(std::size_t(place.cpu) + 1, full_capacity);
        capacities.back() = std::max(place.capacity, 1);
    }
}

void calibrate_work() { steps_per_us(); }

void work(std::int64_t us) {
    const double speed = steps_per_us();
    for (; us > 0; us -= chunk_us)
        spin(std::int64_t(speed * double(std::min(us, chunk_us)) * full_capacity / capacity_here()));
}

} // namespace schedlab
