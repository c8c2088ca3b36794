// SPDX-License-Identifier: GPL-2.0-or-later
// dumpsys gfxinfo PACKAGE framestats: comma-separated times in ns between two lines "---PROFILEDATA---". Columns come and go
// with Android's versions and have changed places: they are found by their titles. A row with flags is no frame of the
// application's own. A frame lasts from the intended vsync to its completion.
#include <algorithm>

#include "import/format.h"
#include "import/sample.h"
#include "import/scan.h"

namespace schedlab {

namespace {

constexpr std::string_view fence = "---PROFILEDATA---";
constexpr double vsync_ms = 1000.0 / 60; // a frame that takes longer is a jank

class Gfxinfo : public LogParser {
public:
    void take(std::size_t number, std::string_view line) override {
        if (trimmed(line) == fence) {
            inside_ = !inside_;
            flags_ = begin_ = end_ = missing;
            begun_ = begun_ ? begun_ : number;
        } else if (inside_ && line.starts_with("Flags,")) {
            const std::vector<std::string_view> titles = fields_of(line, ',');
            flags_ = column(titles, "Flags");
            begin_ = column(titles, "IntendedVsync");
            end_ = column(titles, "FrameCompleted");
            if (begin_ == missing || end_ == missing)
                skip(number, "no columns IntendedVsync and FrameCompleted");
        } else if (inside_ && begin_ != missing && end_ != missing && !trimmed(line).empty()) {
            take_frame(number, fields_of(line, ','));
        }
    }
    void end() override {
        if (frames_.empty())
            return skip(begun_, "no frames");
        add_frames(begin(begun_, "gfxinfo"), "", frames_, frames_.above(vsync_ms));
    }

private:
    static constexpr std::size_t missing = std::size_t(-1);

    static std::size_t column(const std::vector<std::string_view> &titles, std::string_view title) {
        const auto at = std::ranges::find(titles, title);
        return at == titles.end() ? missing : std::size_t(at - titles.begin());
    }

    void take_frame(std::size_t number, const std::vector<std::string_view> &fields) {
        if (std::max({flags_, begin_, end_}) >= fields.size())
            return skip(number, "fewer columns than titles");
        const auto flags = number_in(fields[flags_]), begin = number_in(fields[begin_]), end = number_in(fields[end_]);
        if (!flags || !begin || !end)
            return skip(number, "not a row of numbers");
        if (*flags == 0 && *end > *begin)
            frames_.add((*end - *begin) / 1e6);
        else
            skip(number, *flags != 0 ? "flagged: no frame of the application's own" : "it ends before it begins");
    }

    bool inside_ = false;
    std::size_t flags_ = missing, begin_ = missing, end_ = missing, begun_ = 0;
    Sample frames_; // ms
};

} // namespace

const LogFormat gfxinfo_format = {"gfxinfo", "dumpsys gfxinfo PACKAGE framestats",
                                  [](std::string_view line) { return trimmed(line) == fence; },
                                  [] { return std::unique_ptr<LogParser>(std::make_unique<Gfxinfo>()); }};

} // namespace schedlab
