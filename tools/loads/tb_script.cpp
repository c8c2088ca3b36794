// SPDX-License-Identifier: GPL-2.0-or-later
#include "loads/tb_script.h"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>
#include <string_view>

#include "core/error.h"

namespace schedlab {
namespace {

// What the words of a line say: lengths of the names and the numbers, in order.
struct Line {
    std::string_view operation;
    std::vector<std::uint64_t> names, numbers;
};

// An SMB header and what each kind of message has after it. Names are sent as UTF-16.
constexpr std::uint64_t header = 39, block_of_names = 90;

struct Kind {
    std::string_view operation;
    std::size_t names, numbers; // that it has at least
    TbOperation (*sizes)(const Line &);
};

std::uint64_t name_bytes(const Line &line) {
    std::uint64_t bytes = 0;
    for (const std::uint64_t length : line.names)
        bytes += 2 * length;
    return bytes;
}

TbOperation named(const Line &line) { return {header + 4 + name_bytes(line), header}; }
TbOperation lock(const Line &) { return {header + 12, header}; }
TbOperation query(const Line &) { return {header + 20, header + 32}; }

constexpr Kind kinds[] = {
    {"Close", 0, 1, [](const Line &) { return TbOperation{header + 8, header}; }},
    {"FIND_FIRST", 1, 3,
     [](const Line &line) {
         return TbOperation{header + 20 + name_bytes(line), header + block_of_names * line.numbers[2]};
     }},
    {"Flush", 0, 1, [](const Line &) { return TbOperation{header + 2, header}; }},
    {"LockX", 0, 1, lock},
    {"Mkdir", 1, 0, named},
    {"NTCreateX", 1, 0, [](const Line &line) { return TbOperation{header + 35 + name_bytes(line), header + 48}; }},
    {"QUERY_FILE_INFORMATION", 0, 1, query},
    {"QUERY_FS_INFORMATION", 0, 0, query},
    {"QUERY_PATH_INFORMATION", 1, 0,
     [](const Line &line) { return TbOperation{header + 16 + name_bytes(line), header + 32}; }},
    {"ReadX", 0, 4,
     [](const Line &line) {
         return TbOperation{header + 20, header + 20 + line.numbers[3], line.numbers[3]};
     }},
    {"Rename", 2, 0, [](const Line &line) { return TbOperation{header + 8 + name_bytes(line), header}; }},
    {"Rmdir", 1, 0, named},
    {"SET_FILE_INFORMATION", 0, 1, [](const Line &) { return TbOperation{header + 32, header + 8}; }},
    {"Unlink", 1, 0, named},
    {"UnlockX", 0, 1, lock},
    {"WriteX", 0, 3,
     [](const Line &line) { return TbOperation{header + 20 + line.numbers[2], header + 16, line.numbers[2]}; }},
};

// Said between client and file system alone, or not at all: nothing goes over the wire.
constexpr std::string_view silent[] = {"Deltree", "Sleep"};

// The next word, or the quoted name; empty at the end of the line.
std::string_view next_word(std::string_view &line) {
    line.remove_prefix(std::min(line.find_first_not_of(" \t\r"), line.size()));
    const bool quoted = line.starts_with('"');
    const auto end = quoted ? line.find('"', 1) : line.find_first_of(" \t\r");
    const std::string_view word = line.substr(0, end == line.npos ? end : end + quoted);
    line.remove_prefix(word.size());
    return word;
}

bool read_number(std::string_view word, std::uint64_t &number) {
    const bool hex = word.starts_with("0x");
    word.remove_prefix(hex ? 2 : 0);
    const auto [end, err] = std::from_chars(word.begin(), word.end(), number, hex ? 16 : 10);
    return err == std::errc() && end == word.end();
}

Line split(std::string_view text) {
    Line line;
    line.operation = next_word(text);
    if (!line.operation.empty() && line.operation.front() >= '0' && line.operation.front() <= '9')
        line.operation = next_word(text); // after the time
    for (std::string_view word; !(word = next_word(text)).empty();) {
        std::uint64_t number = 0;
        if (word.starts_with('"')) // less the quotes, and the backslash that all paths begin with
            line.names.push_back(std::max<std::size_t>(word.size(), 3) - 3);
        else if (read_number(word, number))
            line.numbers.push_back(number);
    }
    return line;
}

} // namespace

std::vector<TbOperation> parse_tb_script(const std::string &text, const std::string &file) {
    constexpr std::uint64_t largest = 1 << 20; // message, in bytes
    std::vector<TbOperation> operations;
    std::size_t number = 0;
    for (std::string_view rest = text; !rest.empty();) {
        const auto end = std::min(rest.find('\n'), rest.size());
        const Line line = split(rest.substr(0, end));
        rest.remove_prefix(std::min(end + 1, rest.size()));
        ++number;
        if (line.operation.empty() || line.operation.starts_with('#') || std::ranges::count(silent, line.operation))
            continue;
        const auto kind = std::ranges::find(kinds, line.operation, &Kind::operation);
        if (kind == std::end(kinds))
            throw usage_error(fmt::format("{}:{}: dbench has no operation '{}'", file, number, line.operation));
        if (line.names.size() < kind->names || line.numbers.size() < kind->numbers)
            throw usage_error(fmt::format("{}:{}: {} needs {} names and {} numbers", file, number, line.operation,
                                          kind->names, kind->numbers));
        const TbOperation operation = kind->sizes(line);
        if (const std::uint64_t size = std::max(operation.request, operation.response); size > largest)
            throw usage_error(fmt::format("{}:{}: a message of {} bytes: {} at most", file, number, size, largest));
        operations.push_back(operation);
    }
    if (operations.empty())
        throw usage_error(fmt::format("{}: no operations", file));
    return operations;
}

const char tb_session[] = R"(# look around
QUERY_PATH_INFORMATION "\work" 1004 NT_STATUS_OK
FIND_FIRST "\work\*" 260 512 8 NT_STATUS_OK
QUERY_PATH_INFORMATION "\work\minutes.txt" 1004 NT_STATUS_OK
# read a document, a part of it twice
NTCreateX "\work\minutes.txt" 0x0 0x1 1 NT_STATUS_OK
QUERY_FILE_INFORMATION 1 258 NT_STATUS_OK
ReadX 1 0 4096 4096 NT_STATUS_OK
ReadX 1 4096 4096 4096 NT_STATUS_OK
ReadX 1 0 512 512 NT_STATUS_OK
ReadX 1 8192 32768 32768 NT_STATUS_OK
Close 1 NT_STATUS_OK
# is there a newer one? make it
QUERY_PATH_INFORMATION "\work\minutes.new" 1004 NT_STATUS_OBJECT_NAME_NOT_FOUND
NTCreateX "\work\minutes.new" 0x40 0x2 2 NT_STATUS_OK
WriteX 2 0 512 512 NT_STATUS_OK
WriteX 2 512 4096 4096 NT_STATUS_OK
LockX 2 0 512 NT_STATUS_OK
WriteX 2 4608 61440 61440 NT_STATUS_OK
UnlockX 2 0 512 NT_STATUS_OK
SET_FILE_INFORMATION 2 258 NT_STATUS_OK
Flush 2 NT_STATUS_OK
Close 2 NT_STATUS_OK
# a table, a record at a time
NTCreateX "\work\tables\rooms.db" 0x0 0x1 3 NT_STATUS_OK
QUERY_FS_INFORMATION 1 NT_STATUS_OK
ReadX 3 0 2048 2048 NT_STATUS_OK
ReadX 3 2048 2048 2048 NT_STATUS_OK
WriteX 3 2048 128 128 NT_STATUS_OK
ReadX 3 6144 2048 2048 NT_STATUS_OK
QUERY_FILE_INFORMATION 3 258 NT_STATUS_OK
Close 3 NT_STATUS_OK
# put the new one in the old one's place
Unlink "\work\minutes.txt" 0x6 NT_STATUS_OK
Rename "\work\minutes.new" "\work\minutes.txt" NT_STATUS_OK
)";

} // namespace schedlab
