// SPDX-License-Identifier: GPL-2.0-or-later
#include "import/open_log.h"

#include <cerrno>
#include <fstream>
#include <streambuf>
#include <vector>
#include <zlib.h>

#include "core/error.h"
#include "sys/files.h"

namespace schedlab {

namespace {

constexpr std::size_t block = 1 << 16;
constexpr unsigned char gzip_begins = 0x1f; // as no zlib stream and no text does

class Inflating : public std::streambuf {
public:
    Inflating(std::unique_ptr<std::istream> packed, std::string name)
        : in_(std::move(packed)), name_(std::move(name)), packed_(block), text_(block) {
        if (inflateInit2(&state_, 32 + MAX_WBITS) != Z_OK) // 32: gzip's header or zlib's
            throw std::bad_alloc();
    }
    ~Inflating() override { inflateEnd(&state_); }

private:
    int_type underflow() override {
        while (!ended_) {
            const bool more = state_.avail_in > 0 || fill();
            state_.next_out = reinterpret_cast<Bytef *>(text_.data());
            state_.avail_out = block;
            const int code = more ? inflate(&state_, Z_NO_FLUSH) : Z_BUF_ERROR;
            if (code == Z_STREAM_END)
                next_member();
            else if (code != Z_OK)
                throw usage_error(name_ + (more ? ": what is packed in it is broken" : ": what is packed in it was cut off"),
                                  "fetch it again from where it was written; 'adb shell' may change line ends, 'adb exec-out' does not");
            if (const std::size_t got = block - state_.avail_out) {
                setg(text_.data(), text_.data(), text_.data() + got);
                return traits_type::to_int_type(text_[0]);
            }
        }
        return traits_type::eof();
    }

    bool fill() {
        in_->read(packed_.data(), block);
        state_.next_in = reinterpret_cast<Bytef *>(packed_.data());
        state_.avail_in = uInt(in_->gcount());
        return state_.avail_in > 0;
    }

    // Files of gzip may stand one behind the other.
    void next_member() {
        ended_ = (state_.avail_in == 0 && !fill()) || *state_.next_in != gzip_begins;
        if (!ended_)
            inflateReset(&state_);
    }

    std::unique_ptr<std::istream> in_;
    std::string name_;
    std::vector<char> packed_, text_;
    z_stream state_{};
    bool ended_ = false;
};

class InflatingStream : public std::istream {
public:
    InflatingStream(std::unique_ptr<std::istream> packed, const std::string &name)
        : std::istream(nullptr), buffer_(std::move(packed), name) {
        rdbuf(&buffer_);
        exceptions(std::ios::badbit); // what the buffer throws comes through
    }

private:
    Inflating buffer_;
};

// Where packed data begin in a file with this beginning: at once, or behind atrace's line "TRACE:". npos: nowhere.
std::size_t packed_at(std::string_view head) {
    if (head.starts_with("\x1f\x8b"))
        return 0;
    constexpr std::string_view title = "TRACE:\n";
    const std::size_t at = head.find(title);
    if (at == head.npos || (at > 0 && head[at - 1] != '\n') || head.size() < at + title.size() + 2)
        return head.npos;
    const unsigned first = std::uint8_t(head[at + title.size()]), second = std::uint8_t(head[at + title.size() + 1]);
    const bool zlib = (first & 0xf) == Z_DEFLATED && (first << 8 | second) % 31 == 0; // RFC 1950
    return zlib ? at + title.size() : head.npos;
}

} // namespace

std::unique_ptr<std::istream> open_log(const std::filesystem::path &file) {
    auto in = std::make_unique<std::ifstream>(file, std::ios::binary);
    if (!*in || std::filesystem::is_directory(file))
        throw file_error("read", file, *in ? EISDIR : errno);
    std::string head(4096, '\0');
    in->read(head.data(), std::streamsize(head.size()));
    head.resize(std::size_t(in->gcount()));
    in->clear();
    const std::size_t at = packed_at(head);
    in->seekg(at == head.npos ? 0 : std::streamoff(at));
    if (at == head.npos)
        return in;
    return std::make_unique<InflatingStream>(std::move(in), file.string());
}

} // namespace schedlab
