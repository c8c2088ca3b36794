// SPDX-License-Identifier: GPL-2.0-or-later
// Progress on a stream: what is being done, how far it is, and the time left. On a terminal one line that is
// rewritten; elsewhere a line when something new begins and then one every half minute.
#pragma once

#include <chrono>
#include <cstdio>
#include <string>

#include "report/terminal.h"

namespace schedlab {

class ProgressLine {
public:
    ProgressLine(std::FILE *stream, bool quiet);
    ~ProgressLine(); // leaves the line clean

    // `fraction` in 0..1, < 0: unknown. `detail` may change without a new phase beginning ("b, seed 3").
    void update(const std::string &phase, double fraction, const std::string &detail = {});

private:
    using Clock = std::chrono::steady_clock;
    std::string time_left(double fraction) const;
    void clear();

    std::FILE *stream_;
    bool quiet_;
    Terminal terminal_;
    std::string phase_;
    double first_fraction_ = 0; // where the phase began: what was reused took no time
    Clock::time_point phase_began_, last_written_;
    bool dirty_ = false;
};

} // namespace schedlab
