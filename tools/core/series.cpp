// SPDX-License-Identifier: GPL-2.0-or-later
#include "core/series.h"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>
#include <regex>
#include <sstream>
#include <string_view>

#include "core/error.h"

namespace schedlab {

namespace {

std::string_view trimmed(std::string_view text) {
    const auto first = text.find_first_not_of(" \t\r\n");
    if (first == text.npos)
        return {};
    return text.substr(first, text.find_last_not_of(" \t\r\n") - first + 1);
}

// Lines with their ends.
std::vector<std::string_view> lines_of(std::string_view text) {
    std::vector<std::string_view> lines;
    while (!text.empty()) {
        const auto end = std::min(text.find('\n'), text.size() - 1) + 1;
        lines.push_back(text.substr(0, end));
        text.remove_prefix(end);
    }
    return lines;
}

bool starts_mail(std::string_view line) {
    static const std::regex separator(
        R"(From \S+ +(Mon|Tue|Wed|Thu|Fri|Sat|Sun) [A-Z][a-z]{2} +\d+ \d\d:\d\d:\d\d.*\s*)");
    return line.starts_with("From ") && std::regex_match(line.begin(), line.end(), separator);
}

// Reads the diffs of one mail, or of a file that is no mail at all.
class DiffReader {
public:
    DiffReader(std::span<const std::string_view> lines, std::size_t first_line, std::string name, int strip)
        : lines_(lines), first_line_(first_line), strip_(strip) {
        patch_.name = std::move(name);
    }

    Patch read() {
        read_mail_header();
        while (!done()) {
            const std::string line = current();
            if (line.starts_with("diff --git "))
                read_git_header();
            else if (line.starts_with("--- ") && next().starts_with("+++ "))
                read_plain_header();
            else if (line.starts_with("@@ -"))
                fail("a hunk without a file");
            else
                ++at_;
        }
        return std::move(patch_);
    }

private:
    bool done() const { return at_ >= lines_.size(); }
    // Without its line end; CR LF counts as one (mails get it in transport).
    static std::string bare(std::string_view line) {
        if (line.ends_with('\n'))
            line.remove_suffix(1);
        if (line.ends_with('\r'))
            line.remove_suffix(1);
        return std::string(line);
    }
    std::string current() const { return bare(lines_[at_]); }
    std::string next() const { return at_ + 1 < lines_.size() ? bare(lines_[at_ + 1]) : std::string(); }

    [[noreturn]] void fail(const std::string &what) const {
        throw usage_error(
            fmt::format("{}: line {}: {}", patch_.name, first_line_ + std::min(at_, lines_.size() - 1) + 1, what),
            "make it anew with 'git format-patch' or 'diff -urNp'");
    }

    void read_mail_header() {
        static const std::regex encoded("content-transfer-encoding: *(base64|quoted-printable).*",
                                        std::regex::icase);
        if (lines_.empty() || !starts_mail(lines_[0]))
            return;
        for (++at_; !done() && !current().empty(); ++at_) {
            std::string line = current();
            if (std::regex_match(line, encoded))
                fail("the mail is encoded (" + line + ")");
            if (!line.starts_with("Subject: "))
                continue;
            patch_.subject = line.substr(9);
            while (next().starts_with(' ') || next().starts_with('\t')) {
                ++at_;
                patch_.subject += ' ' + std::string(trimmed(current()));
            }
        }
    }

    // "a/kernel/sched/fair.c<TAB>timestamp" → "kernel/sched/fair.c"; nullopt for /dev/null.
    std::optional<std::string> path(std::string text) const {
        text.erase(std::min(text.find('\t'), text.size()));
        if (text.starts_with('"'))
            fail("a quoted file name: " + text);
        if (text == "/dev/null")
            return std::nullopt;
        for (int n = 0; n < strip_; ++n) {
            const auto slash = text.find('/');
            if (slash == text.npos)
                fail(fmt::format("'{}' has fewer than {} leading directories to strip (-p{})", text, strip_,
                                 strip_));
            text.erase(0, slash + 1);
        }
        return checked(text);
    }
    // The rename headers carry no a/ and b/.
    std::string checked(const std::string &text) const {
        const std::string slashed = "/" + text + "/";
        if (text.empty() || text.front() == '/' || slashed.find("/../") != slashed.npos ||
            slashed.find("/.git/") != slashed.npos)
            fail("a file outside the tree: '" + text + "'");
        return text;
    }

    void read_git_header() {
        FilePatch file;
        bool created = false, deleted = false, renamed = false;
        const std::string names = current().substr(std::string_view("diff --git ").size());
        for (++at_; !done(); ++at_) {
            const std::string line = current();
            const auto value = [&](std::string_view key) { return line.substr(key.size()); };
            if (line.starts_with("new file mode ")) {
                created = true;
                file.new_mode = mode(value("new file mode "));
            } else if (line.starts_with("deleted file mode ")) {
                deleted = true;
            } else if (line.starts_with("new mode ")) {
                file.new_mode = mode(value("new mode "));
            } else if (line.starts_with("rename from ") || line.starts_with("copy from ")) {
                renamed = true;
                file.copy = line.starts_with("copy");
                file.old_path = checked(value(file.copy ? "copy from " : "rename from "));
            } else if (line.starts_with("rename to ") || line.starts_with("copy to ")) {
                file.new_path = checked(value(file.copy ? "copy to " : "rename to "));
            } else if (line.starts_with("GIT binary patch") || line.starts_with("Binary files ")) {
                fail("a binary change");
            } else if (!line.starts_with("index ") && !line.starts_with("old mode ") &&
                       !line.starts_with("similarity index ") && !line.starts_with("dissimilarity index ")) {
                break;
            }
        }
        if (!done() && current().starts_with("--- ") && next().starts_with("+++ ")) {
            read_names(file);
        } else if (!renamed) { // no hunks: an empty file, or a mode alone. Both names are the same.
            const std::string first = names.substr(0, names.size() / 2);
            file.old_path = file.new_path = path(first);
        }
        if (created)
            file.old_path.reset();
        if (deleted)
            file.new_path.reset();
        read_hunks(file);
        patch_.files.push_back(std::move(file));
    }

    void read_plain_header() {
        FilePatch file;
        read_names(file);
        if (file.old_path && file.new_path && file.old_path != file.new_path)
            file.old_path = file.new_path; // "fair.c.orig" → "fair.c": the file that is meant is the new one
        read_hunks(file);
        if (file.hunks.empty())
            fail("a file without hunks");
        patch_.files.push_back(std::move(file));
    }

    void read_names(FilePatch &file) {
        file.old_path = path(current().substr(4));
        ++at_;
        file.new_path = path(current().substr(4));
        // A line end of CR LF in the headers means that transport added the CRs to every line.
        carriage_returns_ = lines_[at_].ends_with("\r\n");
        ++at_;
        if (!file.old_path && !file.new_path)
            fail("a change from /dev/null to /dev/null");
    }

    unsigned mode(const std::string &octal) const {
        unsigned value = 0;
        const auto [end, err] = std::from_chars(octal.data(), octal.data() + octal.size(), value, 8);
        if (err != std::errc() || (value & 0170000) != 0100000)
            fail("mode '" + octal + "' is not a regular file's");
        return value & 0777;
    }

    void read_hunks(FilePatch &file) {
        while (!done() && current().starts_with("@@ -"))
            file.hunks.push_back(read_hunk());
        // diff(1) without git writes no "new file": an old range of 0,0 says it, if the file is not there.
    }

    Hunk read_hunk() {
        static const std::regex form(R"(@@ -(\d{1,8})(,(\d{1,8}))? \+\d{1,8}(,(\d{1,8}))? @@.*)");
        Hunk hunk;
        hunk.header = current();
        std::smatch m;
        if (!std::regex_match(hunk.header, m, form))
            fail("not a hunk header: " + hunk.header);
        hunk.old_start = std::stoi(m[1]);
        hunk.old_count = m[3].matched ? std::stoi(m[3]) : 1;
        hunk.new_count = m[5].matched ? std::stoi(m[5]) : 1;
        ++at_;
        int old_left = hunk.old_count, new_left = hunk.new_count;
        while (old_left > 0 || new_left > 0 || (!done() && lines_[at_].starts_with('\\'))) {
            if (done())
                fail("the file ends inside " + hunk.header);
            add_line(hunk, old_left, new_left);
            ++at_;
        }
        return hunk;
    }

    void add_line(Hunk &hunk, int &old_left, int &new_left) {
        std::string text(lines_[at_]);
        if (carriage_returns_ && text.ends_with("\r\n"))
            text.erase(text.size() - 2, 1);
        if (text.starts_with('\\')) { // "\ No newline at end of file"
            if (hunk.lines.empty())
                fail("'" + current() + "' belongs to no line");
            if (hunk.lines.back().text.ends_with('\n'))
                hunk.lines.back().text.pop_back();
            return;
        }
        // Some mailers strip the blank of an empty context line.
        const char kind = text == "\n" ? ' ' : text[0];
        if (kind != ' ' && kind != '-' && kind != '+')
            fail("neither context nor a change inside " + hunk.header + ": the patch is damaged");
        old_left -= kind != '+';
        new_left -= kind != '-';
        if (old_left < 0 || new_left < 0)
            fail("more lines than " + hunk.header + " says");
        hunk.lines.push_back({kind, text == "\n" ? text : text.substr(1)});
    }

    std::span<const std::string_view> lines_;
    std::size_t first_line_ = 0, at_ = 0;
    int strip_;
    bool carriage_returns_ = false;
    Patch patch_;
};

} // namespace

std::vector<SeriesEntry> parse_series(const std::string &text, const std::string &origin) {
    std::vector<SeriesEntry> entries;
    std::istringstream lines(text);
    std::string line;
    for (int number = 1; std::getline(lines, line); ++number) {
        // A '#' starts a comment at the line's begin or after a blank.
        static const std::regex comment("(^|[ \t])#.*");
        std::istringstream words(std::regex_replace(line, comment, ""));
        SeriesEntry entry;
        std::string option;
        if (!(words >> entry.file))
            continue;
        while (words >> option) {
            if (!std::regex_match(option, std::regex("-p\\d")))
                throw usage_error(fmt::format("{}: line {}: option '{}' is not supported", origin, number, option),
                                  "a patch may be followed by -pN only");
            entry.strip = option[2] - '0';
        }
        entries.push_back(entry);
    }
    if (entries.empty())
        throw usage_error(origin + " names no patch");
    return entries;
}

std::vector<Patch> parse_patches(const std::string &text, const std::string &name, int strip) {
    const auto lines = lines_of(text);
    std::vector<std::size_t> starts{0};
    for (std::size_t n = 1; n < lines.size(); ++n)
        if (starts_mail(lines[n]))
            starts.push_back(n);
    std::vector<Patch> patches;
    for (std::size_t n = 0; n < starts.size(); ++n) {
        const std::size_t end = n + 1 < starts.size() ? starts[n + 1] : lines.size();
        const std::string title = starts.size() > 1 ? fmt::format("{}, mail {}", name, n + 1) : name;
        Patch patch =
            DiffReader(std::span(lines).subspan(starts[n], end - starts[n]), starts[n], title, strip).read();
        if (!patch.files.empty())
            patches.push_back(std::move(patch));
    }
    if (patches.empty())
        throw usage_error(name + " holds no unified diff",
                          "give a patch, an mbox of patches or a directory with a series file");
    return patches;
}

} // namespace schedlab
