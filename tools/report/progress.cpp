// SPDX-License-Identifier: GPL-2.0-or-later
#include "report/progress.h"

#include <fmt/format.h>

namespace schedlab {

namespace {

constexpr auto terminal_interval = std::chrono::milliseconds(100);
constexpr auto log_interval = std::chrono::seconds(30);

} // namespace

ProgressLine::ProgressLine(std::FILE *stream, bool quiet)
    : stream_(stream), quiet_(quiet), terminal_(terminal_of(stream)) {}

ProgressLine::~ProgressLine() { clear(); }

void ProgressLine::clear() {
    if (dirty_)
        std::fputs("\r\033[K", stream_);
    std::fflush(stream_);
    dirty_ = false;
}

std::string ProgressLine::time_left(double fraction) const {
    const double gained = fraction - first_fraction_;
    if (fraction < 0 || gained <= 0 || fraction >= 1)
        return {};
    const double spent = std::chrono::duration<double>(Clock::now() - phase_began_).count();
    const int left = int(spent / gained * (1 - fraction) + 0.5);
    return left >= 60 ? fmt::format(", {} min {} s left", left / 60, left % 60) : fmt::format(", {} s left", left);
}

void ProgressLine::update(const std::string &phase, double fraction, const std::string &detail) {
    if (quiet_)
        return;
    const auto now = Clock::now();
    const bool begins = phase != phase_;
    if (begins) {
        phase_ = phase;
        phase_began_ = now;
        first_fraction_ = fraction;
    }
    const Clock::duration interval = terminal_.interactive ? Clock::duration(terminal_interval) : log_interval;
    if (!begins && fraction < 1 && now - last_written_ < interval)
        return;
    last_written_ = now;
    std::string line = phase;
    if (fraction >= 0)
        line += fmt::format(" {:.0f} %", 100 * fraction);
    line += time_left(fraction);
    if (!detail.empty())
        line += " (" + detail + ")";
    if (!terminal_.interactive) {
        fmt::print(stream_, "{}\n", line);
        return;
    }
    if (int(line.size()) >= terminal_.columns)
        line.resize(std::size_t(terminal_.columns - 1));
    clear();
    std::fputs(line.c_str(), stream_);
    std::fflush(stream_);
    dirty_ = true;
}

} // namespace schedlab
