// SPDX-License-Identifier: GPL-2.0-or-later
// Files → runs: what schedlab itself wrote, or logs of other tools.
#pragma once

#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "import/import.h"
#include "store/store.h"

namespace schedlab {

struct ImportedFile {
    std::string format;              // for people
    std::vector<StoredRun> runs;     // in the file's order
    std::vector<Skipped> skipped;
};

// What the user knows of logs that they do not tell.
struct ImportChoice {
    std::string kernel, machine;              // what they are called; a log's own name of a kernel wins
    std::filesystem::path topology;           // of traces (import/trace.h); empty: this machine's
    std::set<std::string, std::less<>> commands; // of traces: whose tasks are counted; empty: everybody's
};

// A run's cell is the file's content and the place in it, so the same log is the same runs. Throws what import_log() and
// import_trace() do; for JSON, usage errors with the line.
ImportedFile runs_of_file(const std::filesystem::path &file, const ImportChoice &choice);

// Of several files as one set: what is not schedlab's own is numbered through, as if by seed.
std::vector<StoredRun> numbered(std::vector<ImportedFile> files);

} // namespace schedlab
