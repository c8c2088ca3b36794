// SPDX-License-Identifier: GPL-2.0-or-later
// What a client of load `tb` says to its server: a dbench load file, as sizes of messages.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace schedlab {

// Bytes of a request and its response on the wire, headers included, and of the file data that one of them carries.
struct TbOperation {
    std::uint64_t request = 0, response = 0, data = 0;
};

// Parses a dbench load file: one operation a line, `NTCreateX "\dir\file" 0x40 0x2 9938 NT_STATUS_OK`, with a time
// in front or none. The sizes are tbench's (dbench 4.0). Throws a usage error with `file` and the line.
std::vector<TbOperation> parse_tb_script(const std::string &text, const std::string &file);

// A short session of our own: it opens, reads, writes and looks up files in about the proportions of an office's.
extern const char tb_session[];

} // namespace schedlab
