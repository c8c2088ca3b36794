// SPDX-License-Identifier: GPL-2.0-or-later
#include "import/lines.h"

#include <cstring>

namespace schedlab {

bool Lines::next(std::string_view &line) {
    for (std::size_t searched = 0;;) {
        const char *const first = buffer_.data() + begin_, *const all = buffer_.data() + end_;
        const void *const found = std::memchr(first + searched, '\n', std::size_t(all - first) - searched);
        searched = std::size_t(all - first);
        if (!found && searched < buffer_.size() && fill())
            continue;
        if (!found && searched == 0)
            return false;
        line = {first, found ? static_cast<const char *>(found) : all};
        begin_ += line.size() + (found ? 1 : 0);
        if (line.ends_with('\r'))
            line.remove_suffix(1);
        return true;
    }
}

// Reads more behind the line that has begun; false: there is no more.
bool Lines::fill() {
    std::memmove(buffer_.data(), buffer_.data() + begin_, end_ - begin_);
    end_ -= begin_;
    begin_ = 0;
    in_.read(buffer_.data() + end_, std::streamsize(buffer_.size() - end_));
    end_ += std::size_t(in_.gcount());
    return in_.gcount() > 0;
}

} // namespace schedlab
