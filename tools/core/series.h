// SPDX-License-Identifier: GPL-2.0-or-later
// Patches: read from a quilt series, from loose unified diffs and from mboxes, and applied in memory, exactly.
//
// Applying is stricter than patch(1): every context line must match (no fuzz). A hunk may have moved if it fits in
// exactly one place; one that fits in several is refused, because the measured kernel must be the one that was
// meant. Nothing is written: what comes back is the whole new content of each changed file, or an error.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace schedlab {

struct HunkLine {
    char kind = ' ';  // ' ' context, '-' removed, '+' added
    std::string text; // with its line end; without one if it is the file's last line and has none
};

struct Hunk {
    std::string header;                              // "@@ -10,6 +10,7 @@ function": for errors
    int old_start = 0, old_count = 0, new_count = 0; // lines; old_start counts from 1
    std::vector<HunkLine> lines;
};

// What a patch does to one file. A new file has no old path, a deleted one no new path.
struct FilePatch {
    std::optional<std::string> old_path, new_path;
    bool copy = false;                // the old path stays
    std::optional<unsigned> new_mode; // permission bits, if the patch sets them
    std::vector<Hunk> hunks;
};

struct Patch {
    std::string name; // for errors: "0001-fair.patch", or "all.mbox, mail 3"
    std::string subject;
    std::vector<FilePatch> files;
};

struct SeriesEntry {
    std::string file; // relative to the series file
    int strip = 1;    // -pN: leading path components to drop
};

// A quilt `series` file: one patch a line, "-pN" after it, comments and blank lines. `origin` is named in errors.
// Throws a usage error, also for a series without patches.
std::vector<SeriesEntry> parse_series(const std::string &text, const std::string &origin);

// A unified diff or an mbox of several mails (mails without a diff, such as the cover letter, are left out).
// Throws a usage error that names `name` and the line.
std::vector<Patch> parse_patches(const std::string &text, const std::string &name, int strip = 1);

// Content of a file of the tree; nullopt if there is none.
using ReadTreeFile = std::function<std::optional<std::string>(const std::string &path)>;

struct FileChange {
    std::optional<std::string> content; // nullopt = the file is deleted
    std::optional<unsigned> mode;       // permission bits, if they change
    bool operator==(const FileChange &) const = default;
};

// Path → its state after all patches, for files that end up different from the tree. Throws a usage error that
// names patch, file and hunk when a hunk does not fit, is applied already, its file is missing, or when a patch
// (or all of them together) changes nothing.
std::map<std::string, FileChange> apply_patches(std::span<const Patch> patches, const ReadTreeFile &read);

} // namespace schedlab
