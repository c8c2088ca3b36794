// SPDX-License-Identifier: GPL-2.0-or-later
// A text's lines one by one, of which none is copied: texts of gigabytes are made of lines of 100 bytes. What is no text may
// have no lines: after `longest` bytes one ends in any case.
#pragma once

#include <cstddef>
#include <istream>
#include <string_view>
#include <vector>

namespace schedlab {

class Lines {
public:
    static constexpr std::size_t longest = 1 << 18;
    explicit Lines(std::istream &in) : in_(in), buffer_(longest) {}

    // The next line, without its end ("\n" or "\r\n"); false: there is none. It stays what it is until the next call.
    bool next(std::string_view &line);

private:
    bool fill();

    std::istream &in_;
    std::vector<char> buffer_;
    std::size_t begin_ = 0, end_ = 0; // of what was read and not given yet
};

} // namespace schedlab
