// SPDX-License-Identifier: GPL-2.0-or-later
// Logs of other tools → records. A format is known by its content, never by a file's name; what cannot be used is
// named with its line and the reason. Files are read once, line by line, in constant memory.
#pragma once

#include <cstddef>
#include <filesystem>
#include <istream>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/record.h"

namespace schedlab {

struct ImportedResult {
    Record record;          // seed 0; whoever puts results together numbers them
    std::size_t line = 0;   // where it begins
    std::string kernel;     // what the log calls it, if it does
};

struct Skipped {
    std::size_t line = 0;
    std::string reason;
};

// So many are kept and told of at most: a broken file may be broken in every line.
inline constexpr std::size_t most_skipped = 1000;
void add_skipped(std::vector<Skipped> &skipped, std::size_t line, const std::string &reason);
std::string more_skipped(const std::vector<Skipped> &skipped, std::size_t shown); // "2 more"; "at least 997 more"

struct Imported {
    std::string_view format; // its name
    std::vector<ImportedResult> results;
    std::vector<Skipped> skipped;
};

// `name` stands for the text in errors. Throws a usage error if the format is not known, or if nothing in it can be used:
// that names the format and the first reasons.
Imported import_log(std::istream &text, const std::string &name);
Imported import_file(const std::filesystem::path &file);

// Metrics that decide of results that only logs have, by load; none for others.
std::vector<std::string> imported_primary_metrics(std::string_view load);

std::string import_help(); // a line per format

} // namespace schedlab
