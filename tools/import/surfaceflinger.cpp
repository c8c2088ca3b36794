// SPDX-License-Identifier: GPL-2.0-or-later
// dumpsys SurfaceFlinger --latency LAYER: the refresh period, then a line per frame, all in ns, of which the second is when
// it was shown. Frames that were not shown yet have the largest 64-bit number there, places not used yet 0:
//
//   16666667
//   7113546082	7137590397	7113546082
#include <optional>

#include "import/format.h"
#include "import/sample.h"
#include "import/scan.h"

namespace schedlab {

namespace {

constexpr double never = 9.2e18; // about the largest; a double does not hold it exactly
constexpr double late = 1.5;     // refresh periods between two frames; after so many one was missed

// A line of three times, or none.
std::optional<double> shown_at(std::string_view line) {
    const std::vector<std::string_view> fields = fields_of(line, '\t');
    if (fields.size() != 3)
        return std::nullopt;
    for (const std::string_view field : fields)
        if (field.empty() || field.find_first_not_of("0123456789") != field.npos)
            return std::nullopt;
    return number_in(fields[1]);
}

class SurfaceFlinger : public LogParser {
public:
    void take(std::size_t number, std::string_view line) override {
        const auto shown = shown_at(line);
        if (!shown) {
            const auto period = number_in(trimmed(line));
            if (period && *period > 0)
                start(number, *period);
            else if (!trimmed(line).empty())
                skip(number, "neither a refresh period nor three times");
        } else if (!period_) {
            skip(number, "a frame before the refresh period");
        } else if (*shown > 0 && *shown < never) {
            if (last_ && *shown > *last_)
                between_.add((*shown - *last_) / 1e6);
            last_ = shown;
        }
    }
    void end() override { start(0, 0); }

private:
    void start(std::size_t number, double period) {
        if (period_ && between_.empty())
            skip(begun_, "fewer than two frames were shown");
        else if (period_)
            add_frames(begin(begun_, "surfaceflinger"), "", between_, between_.above(late * period_ / 1e6));
        begun_ = number;
        period_ = period;
        last_.reset();
        between_ = {};
    }

    std::size_t begun_ = 0;
    double period_ = 0; // ns; 0: none yet
    std::optional<double> last_;
    Sample between_; // ms from frame to frame
};

} // namespace

const LogFormat surfaceflinger_format = {
    "SurfaceFlinger", "dumpsys SurfaceFlinger --latency LAYER", [](std::string_view line) { return shown_at(line).has_value(); },
    [] { return std::unique_ptr<LogParser>(std::make_unique<SurfaceFlinger>()); }};

} // namespace schedlab
