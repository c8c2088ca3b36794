// SPDX-License-Identifier: GPL-2.0-or-later
#include "core/series.h"

#include <algorithm>
#include <fmt/format.h>
#include <string_view>

#include "core/error.h"

namespace schedlab {

namespace {

using Lines = std::vector<std::string_view>; // with their ends

Lines split(std::string_view text) {
    Lines lines;
    while (!text.empty()) {
        const auto end = std::min(text.find('\n'), text.size() - 1) + 1;
        lines.push_back(text.substr(0, end));
        text.remove_prefix(end);
    }
    return lines;
}

// The lines of a hunk without those of one kind: '+' leaves what it expects, '-' what it makes.
Lines side(const Hunk &hunk, char without) {
    Lines lines;
    for (const HunkLine &line : hunk.lines)
        if (line.kind != without)
            lines.push_back(line.text);
    return lines;
}

bool fits(const Lines &content, std::size_t at, const Lines &expected) {
    return at + expected.size() <= content.size() &&
           std::equal(expected.begin(), expected.end(), content.begin() + at);
}

std::vector<std::size_t> places(const Lines &content, std::size_t from, const Lines &expected) {
    std::vector<std::size_t> found;
    for (std::size_t at = from; at + expected.size() <= content.size(); ++at)
        if (fits(content, at, expected))
            found.push_back(at);
    return found;
}

std::string quoted(std::string_view line) {
    while (!line.empty() && (line.back() == '\n' || line.back() == '\r'))
        line.remove_suffix(1);
    return fmt::format("'{}'", line);
}

class FileApplier {
public:
    FileApplier(const Patch &patch, const FilePatch &file, std::string_view content)
        : patch_(patch), file_(file), content_(split(content)) {}

    std::string apply() {
        for (number_ = 0; number_ < file_.hunks.size(); ++number_) {
            const Hunk &hunk = file_.hunks[number_];
            const std::size_t at = place(hunk);
            const Lines before = side(hunk, '+'), after = side(hunk, '-');
            if (before == after)
                fail(hunk, "changes nothing");
            copy_until(at);
            for (std::string_view line : after)
                result_ += line;
            done_ = at + before.size();
            drift_ = std::ptrdiff_t(at) - std::ptrdiff_t(stated(hunk));
        }
        copy_until(content_.size());
        return std::move(result_);
    }

private:
    // Index of the line at which the hunk says it begins. A hunk without old lines goes after its line.
    static std::size_t stated(const Hunk &hunk) {
        return std::size_t(hunk.old_start) - (hunk.old_count > 0 && hunk.old_start > 0);
    }

    void copy_until(std::size_t end) {
        for (; done_ < end; ++done_)
            result_ += content_[done_];
    }

    std::size_t place(const Hunk &hunk) const {
        const Lines before = side(hunk, '+');
        const bool context =
            std::any_of(hunk.lines.begin(), hunk.lines.end(), [](const HunkLine &l) { return l.kind == ' '; });
        if (before.empty()) {
            if (content_.empty())
                return 0;
            fail(hunk, "has no context lines, so nothing tells whether its place is right");
        }
        const std::size_t wanted = std::size_t(std::max<std::ptrdiff_t>(0, std::ptrdiff_t(stated(hunk)) + drift_));
        if (wanted >= done_ && fits(content_, wanted, before))
            return wanted;
        const auto found = places(content_, done_, before);
        if (found.size() == 1 && context)
            return found[0];
        if (found.size() > 1)
            fail(hunk, fmt::format("has moved and fits at lines {} and {}: which is meant is not clear",
                                   found[0] + 1, found[1] + 1));
        const Lines after = side(hunk, '-');
        if (!after.empty() && !places(content_, done_, after).empty())
            fail(hunk, "is applied already");
        explain(hunk, before, wanted);
    }

    // Where most lines agree is what the patch was made for; its first difference is what the user wants to see.
    [[noreturn]] void explain(const Hunk &hunk, const Lines &before, std::size_t wanted) const {
        std::size_t best = wanted, best_equal = 0;
        for (std::size_t at = 0; at < content_.size(); ++at) {
            std::size_t equal = 0;
            for (std::size_t n = 0; n < before.size() && at + n < content_.size(); ++n)
                equal += content_[at + n] == before[n];
            if (equal > best_equal || (equal == best_equal && at == wanted)) {
                best_equal = equal;
                best = at;
            }
        }
        for (std::size_t n = 0; n < before.size(); ++n) {
            if (best + n >= content_.size())
                fail(hunk, fmt::format("does not apply: it expects {}, but the file ends at line {}",
                                       quoted(before[n]), content_.size()));
            if (content_[best + n] != before[n])
                fail(hunk, fmt::format("does not apply: line {} is {}, not {}", best + n + 1,
                                       quoted(content_[best + n]), quoted(before[n])));
        }
        fail(hunk, fmt::format("does not apply: it fits only at line {}, before the hunk above it", best + 1));
    }

    [[noreturn]] void fail(const Hunk &hunk, const std::string &what) const {
        throw usage_error(fmt::format("{}: {}: hunk {} of {} ({}) {}", patch_.name, *file_.old_path, number_ + 1,
                                      file_.hunks.size(), hunk.header, what),
                          "the tree is untouched; rebase the patch onto this kernel (fuzz is never applied)");
    }

    const Patch &patch_;
    const FilePatch &file_;
    const Lines content_;
    std::string result_;
    std::size_t number_ = 0;   // of the hunk
    std::size_t done_ = 0;     // lines of content_ already in result_
    std::ptrdiff_t drift_ = 0; // how far hunks have been from where they said
};

// The tree as the patches so far have left it.
class PatchedTree {
public:
    explicit PatchedTree(const ReadTreeFile &read) : read_(read) {}

    std::optional<std::string> content(const std::string &path) const {
        const auto it = changes_.find(path);
        return it != changes_.end() ? it->second.content : read_(path);
    }

    void apply(const Patch &patch) {
        bool changed = false;
        for (FilePatch file : patch.files) {
            // diff(1) without git shows a new file as an empty old range, under a name like any other.
            if (file.old_path == file.new_path && file.hunks.size() == 1 && file.hunks[0].old_count == 0 &&
                file.hunks[0].old_start == 0 && !content(*file.old_path))
                file.old_path.reset();
            changed |= apply(patch, file);
        }
        if (!changed)
            throw usage_error(patch.name + ": changes nothing");
    }

    std::map<std::string, FileChange> differences() const {
        std::map<std::string, FileChange> result;
        for (const auto &[path, change] : changes_)
            if (change.mode || change.content != read_(path))
                result.emplace(path, change);
        return result;
    }

private:
    bool apply(const Patch &patch, const FilePatch &file) {
        const auto fail = [&](const std::string &path, const std::string &what) {
            return usage_error(fmt::format("{}: {}: {}", patch.name, path, what),
                               "the tree is untouched; rebase the patch onto this kernel");
        };
        std::optional<std::string> before;
        if (file.old_path && !(before = content(*file.old_path)))
            throw fail(*file.old_path,
                       file.new_path ? "there is no such file in the tree" : "to be deleted, but not in the tree");
        FilePatch named = file;
        if (!named.old_path)
            named.old_path = file.new_path;
        std::string after = FileApplier(patch, named, before.value_or("")).apply();
        if (file.new_path && file.new_path != file.old_path)
            if (const auto existing = content(*file.new_path))
                throw fail(*file.new_path,
                           *existing == after ? "is applied already: the file is in the tree, as the patch makes it"
                                              : "to be created, but there is such a file in the tree");
        if (!file.new_path && !after.empty())
            throw fail(*file.old_path, "to be deleted, but the tree's file holds more than the patch removes");
        if (file.old_path && file.old_path != file.new_path && !file.copy)
            changes_[*file.old_path] = {};
        if (!file.new_path)
            return true;
        FileChange &change = changes_[*file.new_path];
        const bool changed =
            before != after || file.old_path != file.new_path || (file.new_mode && file.new_mode != change.mode);
        change.content = std::move(after);
        if (file.new_mode)
            change.mode = file.new_mode;
        return changed;
    }

    const ReadTreeFile &read_;
    std::map<std::string, FileChange> changes_;
};

} // namespace

std::map<std::string, FileChange> apply_patches(std::span<const Patch> patches, const ReadTreeFile &read) {
    PatchedTree tree(read);
    for (const Patch &patch : patches)
        tree.apply(patch);
    auto differences = tree.differences();
    if (!patches.empty() && differences.empty())
        throw usage_error(fmt::format("the patches {} to {} undo one another: nothing is changed",
                                      patches.front().name, patches.back().name));
    return differences;
}

} // namespace schedlab
