// SPDX-License-Identifier: GPL-2.0-or-later
#include "loads/tb_script.h"

#include <catch2/catch_test_macros.hpp>

#include "thrown.h"

using namespace schedlab;
using test::says;
using test::thrown;

namespace {

TbOperation only(const char *line) {
    const auto operations = parse_tb_script(line, "load");
    REQUIRE(operations.size() == 1);
    return operations[0];
}

bool has(const TbOperation &operation, std::uint64_t request, std::uint64_t response, std::uint64_t data) {
    INFO(operation.request << "/" << operation.response << ", " << operation.data);
    return operation.request == request && operation.response == response && operation.data == data;
}

Error refusal(const char *text) {
    return thrown([&] { parse_tb_script(text, "load"); });
}

} // namespace

// As tbench 4.0 was seen to send them, with strace.
TEST_CASE("tb: messages have tbench's sizes", "[tb]") {
    CHECK(has(only("Mkdir \"\\clients\" NT_STATUS_OK"), 57, 39, 0));
    CHECK(has(only("Close 9938 NT_STATUS_OK"), 47, 39, 0));
    CHECK(has(only("QUERY_FS_INFORMATION 1 NT_STATUS_OK"), 59, 71, 0));
    CHECK(has(only("WriteX 9938 65534 1 1 NT_STATUS_OK"), 60, 55, 1));
    CHECK(has(only("WriteX 9938 983040 65536 65536 NT_STATUS_OK"), 65595, 55, 65536));
    CHECK(has(only("FIND_FIRST \"\\clients\\client1\\FILLER.*\" 260 1366 0 NT_STATUS_NO_SUCH_FILE"), 107, 39, 0));
    CHECK(has(only("NTCreateX \"\\clients\\client1\\~dmtmp\" 0x1 0x2 9937 NT_STATUS_OK"), 118, 87, 0));
    CHECK(has(only("NTCreateX \"\\clients\\client1\\filler.000\" 0x40 0x2 9938 NT_STATUS_OK"), 126, 87, 0));
}

TEST_CASE("tb: a read's data is in the response, and as much as there was", "[tb]") {
    CHECK(has(only("ReadX 1 0 4096 512 NT_STATUS_OK"), 59, 571, 512));
}

TEST_CASE("tb: times, comments, blank lines and local operations cost nothing", "[tb]") {
    CHECK(has(only("# all of it\n\n0.125 Flush 1 NT_STATUS_OK\r\nDeltree \"\\x\" NT_STATUS_OK\n"), 41, 39, 0));
}

TEST_CASE("tb: a line that is no operation is named", "[tb]") {
    CHECK(says(refusal("Flush 1 NT_STATUS_OK\nFlash 1 NT_STATUS_OK\n"), "load:2: dbench has no operation 'Flash'"));
    CHECK(says(refusal("WriteX 1 0\n"), "load:1: WriteX needs 0 names and 3 numbers"));
    CHECK(says(refusal("ReadX 1 0 9999999 9999999 NT_STATUS_OK\n"), "load:1: a message of"));
    CHECK(says(refusal("# nothing\n"), "load: no operations"));
}

TEST_CASE("tb: the built-in session can be replayed", "[tb]") {
    CHECK(parse_tb_script(tb_session, "").size() > 20);
}
