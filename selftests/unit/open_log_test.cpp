// SPDX-License-Identifier: GPL-2.0-or-later
// Logs as files: their lines, and what they are packed in.
#include "import/open_log.h"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <sstream>
#include <zlib.h>

#include "import/lines.h"
#include "import/trace.h"
#include "imported.h"
#include "sys/files.h"
#include "thrown.h"

using namespace schedlab;
using schedlab::test::read_as_file;
using schedlab::test::thrown;
using schedlab::test::value;
using Catch::Matchers::ContainsSubstring;

namespace {

constexpr int gzip = 16 + MAX_WBITS, zlib = MAX_WBITS; // as deflateInit2() names them

std::string packed(const std::string &text, int wrapping) {
    z_stream state{};
    REQUIRE(deflateInit2(&state, 9, Z_DEFLATED, wrapping, 9, Z_DEFAULT_STRATEGY) == Z_OK);
    std::string out(compressBound(text.size()) + 100, '\0');
    state.next_in = reinterpret_cast<Bytef *>(const_cast<char *>(text.data()));
    state.avail_in = uInt(text.size());
    state.next_out = reinterpret_cast<Bytef *>(out.data());
    state.avail_out = uInt(out.size());
    REQUIRE(deflate(&state, Z_FINISH) == Z_STREAM_END);
    out.resize(state.total_out);
    deflateEnd(&state);
    return out;
}

const std::string run = "Running in process mode with 10 groups using 40 file descriptors each (== 400 tasks)\nTime: 0.154\n";
const std::string event = "  <...>-1 [000] d.h1. 5.000000: sched_waking: comm=a pid=10 prio=120 target_cpu=001\n";
const Topology two{{{0, 0, 0, 0, 0, 1024}, {1, 1, 0, 0, 0, 1024}}};

// Its wakeups; the file must be known as a trace first.
double wakeups(const std::string &content) {
    const TempDir dir("open-log-test");
    write_file_atomically(dir.path() / "trace", content);
    CHECK(is_trace(dir.path() / "trace"));
    return value(import_trace(*open_log(dir.path() / "trace"), "trace", two, {}), "wakeups");
}

std::vector<std::string> lines_of(const std::string &text) {
    std::istringstream in(text);
    Lines lines(in);
    std::vector<std::string> all;
    for (std::string_view line; lines.next(line);)
        all.emplace_back(line);
    return all;
}

} // namespace

TEST_CASE("lines: their ends, none at the end, longer than any, longer than what is read at once", "[import]") {
    CHECK(lines_of("").empty());
    CHECK(lines_of("a\n\r\n\nb\r\n c") == std::vector<std::string>{"a", "", "", "b", " c"});
    std::string text;
    std::vector<std::string> expected;
    for (std::size_t length = 0; text.size() < 3 * Lines::longest; length = (length + 7919) % 50'000) {
        expected.emplace_back(length, char('a' + length % 26));
        text += expected.back() + "\n";
    }
    CHECK(lines_of(text) == expected);
    std::string longer(Lines::longest + 5, 'x');
    longer += "\ny";
    const std::vector<std::string> pieces = lines_of(longer);
    REQUIRE(pieces.size() == 3);
    CHECK(pieces[1] == "xxxxx");
    CHECK(pieces[2] == "y");
}

TEST_CASE("logs packed by gzip are read as they are", "[import]") {
    CHECK(read_as_file(packed(run, gzip)).results.size() == 1);
    CHECK(read_as_file(packed(run, gzip) + packed(run + run, gzip)).results.size() == 3);
    std::string many;
    for (int i = 0; i < 5000; ++i)
        many += run;
    CHECK(read_as_file(packed(many, gzip)).results.size() == 5000);
    const std::string whole = packed(many, gzip);
    CHECK_THAT(thrown([&] { read_as_file(whole.substr(0, whole.size() / 2)); }).what(), ContainsSubstring("cut off"));
    std::string broken = whole;
    broken[20] = char(broken[20] ^ 0x55);
    CHECK_THAT(thrown([&] { read_as_file(broken); }).what(), ContainsSubstring("broken"));
    CHECK_THAT(thrown([] { read_as_file("\x28\xb5\x2f\xfd\x04"); }).what(), ContainsSubstring("packed by zstd"));
    CHECK_THAT(thrown([] { read_as_file("\xfd" "7zXZ"); }).what(), ContainsSubstring("packed by xz"));
}

TEST_CASE("atrace's output, as text and packed", "[import][trace]") {
    const std::string head = "capturing trace... done\nTRACE:\n";
    CHECK(wakeups(head + "# tracer: nop\n#\n" + event) == 1);
    CHECK(wakeups(head + packed("# tracer: nop\n#\n" + event + event + event, zlib)) == 1); // the same event thrice
    CHECK(wakeups(packed(event, gzip)) == 1);
    const std::string earlier = "  <...>-1 [000] d.h1. 4.000000: sched_waking: comm=b pid=11 prio=120 target_cpu=001\n";
    CHECK(wakeups(packed(event + earlier, gzip)) == 2); // time runs backwards, and it cannot be read again
}

TEST_CASE("a page of systrace has its trace behind a long viewer; what is packed in pages is refused", "[import][trace]") {
    std::string page = "<!DOCTYPE html>\n<html>\n<script>\n";
    for (int i = 0; i < 5000; ++i)
        page += "  a[i] = b[" + std::to_string(i) + "]; // the viewer\n";
    const std::string opened = "</script>\n<!-- BEGIN TRACE -->\n  <script class=\"trace-data\" type=\"application/text\">\n";
    const std::string closed = "  </script>\n<!-- END TRACE -->\n</html>\n";
    CHECK(wakeups(page + opened + "# tracer: nop\n#\n" + event + closed) == 1);
    const Error refused = thrown([&] { read_as_file(page + "<script id=\"viewer-data\" type=\"application/json\">\nH4sIAAAA\n" + closed); });
    CHECK_THAT(refused.what(), ContainsSubstring("a page without a trace"));
    CHECK_THAT(refused.remedy(), ContainsSubstring("systrace"));
}
