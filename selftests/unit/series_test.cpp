// SPDX-License-Identifier: GPL-2.0-or-later
// Patches: what is read, what applies, and that everything else is refused with the patch, the file and the hunk.
#include "core/series.h"

#include <fmt/format.h>

#include "thrown.h"

using namespace schedlab;
using test::says;
using test::thrown;

namespace {

using Tree = std::map<std::string, std::string>;

ReadTreeFile reader(const Tree &tree) {
    return [tree](const std::string &path) -> std::optional<std::string> {
        const auto it = tree.find(path);
        return it == tree.end() ? std::nullopt : std::optional(it->second);
    };
}

std::string numbered(int from, int to) {
    std::string text;
    for (int n = from; n <= to; ++n)
        text += fmt::format("line {}\n", n);
    return text;
}

// Replaces "line 5" by "five".
const std::string five = "--- a/f.c\n+++ b/f.c\n@@ -2,7 +2,7 @@ func\n line 2\n line 3\n line 4\n-line 5\n+five\n "
                         "line 6\n line 7\n line 8\n";
const std::string with_five = numbered(1, 4) + "five\n" + numbered(6, 10);

std::map<std::string, FileChange> apply(const Tree &tree, const std::string &patch) {
    return apply_patches(parse_patches(patch, "p.patch"), reader(tree));
}
std::string content(const std::map<std::string, FileChange> &changes, const std::string &path) {
    return changes.at(path).content.value();
}
Error refused(const Tree &tree, const std::string &patch) {
    return thrown([&] { apply(tree, patch); });
}

std::string replaced(std::string text, const std::string &from, const std::string &to) {
    for (std::size_t at = 0; (at = text.find(from, at)) != text.npos; at += to.size())
        text.replace(at, from.size(), to);
    return text;
}

} // namespace

TEST_CASE("series: names, -pN, comments and blank lines") {
    const auto entries = parse_series(
        "# the series\n\n0001-a.patch\n0002-b.patch -p0  # why\n  #x\ntopic/c#1.patch -p2\r\n", "series");
    REQUIRE(entries.size() == 3);
    CHECK(entries[0].file == "0001-a.patch");
    CHECK(entries[0].strip == 1);
    CHECK(entries[1].strip == 0);
    CHECK(entries[2].file == "topic/c#1.patch");
    CHECK(entries[2].strip == 2);
    CHECK(says(thrown([] { parse_series("a.patch\nb.patch -R\n", "s"); }),
               "s: line 2: option '-R' is not supported"));
    CHECK(says(thrown([] { parse_series("# nothing\n", "s"); }), "s names no patch"));
}

TEST_CASE("series: a hunk applies where it says, and moved if its place is clear") {
    CHECK(content(apply({{"f.c", numbered(1, 10)}}, five), "f.c") == with_five);
    CHECK(content(apply({{"f.c", "new\nnew\n" + numbered(1, 10)}}, five), "f.c") == "new\nnew\n" + with_five);
    const std::string twice = numbered(2, 8) + numbered(2, 8);
    CHECK(content(apply({{"f.c", "x\n" + twice}}, five), "f.c") ==
          "x\n" + numbered(2, 4) + "five\n" + numbered(6, 8) + numbered(2, 8));
    CHECK(says(refused({{"f.c", "x\ny\n" + twice}}, five),
               "p.patch: f.c: hunk 1 of 1 (@@ -2,7 +2,7 @@ func) has moved and fits at lines 3 and 10"));
}

TEST_CASE("series: later hunks follow the drift of earlier ones, in order only") {
    const std::string two = five + "@@ -12,3 +12,4 @@\n line 12\n+more\n line 13\n line 14\n";
    CHECK(content(apply({{"f.c", "0\n" + numbered(1, 20)}}, two), "f.c") ==
          "0\n" + numbered(1, 4) + "five\n" + numbered(6, 12) + "more\n" + numbered(13, 20));
    const Error error = refused({{"f.c", numbered(12, 14) + numbered(2, 8)}}, two);
    CHECK(says(error, "hunk 2 of 2"));
    CHECK(says(error, "before the hunk above it"));
}

TEST_CASE("series: fuzz is never applied") {
    const std::string file = replaced(numbered(1, 10), "line 3\n", "line three\n");
    const Error error = refused({{"f.c", file}}, five);
    CHECK(says(
        error,
        "p.patch: f.c: hunk 1 of 1 (@@ -2,7 +2,7 @@ func) does not apply: line 3 is 'line three', not 'line 3'"));
    CHECK(error.code() == Exit::usage);
    CHECK(says(refused({{"f.c", numbered(1, 6)}}, five), "expects 'line 7', but the file ends at line 6"));
    CHECK(
        says(refused({{"f.c", replaced(numbered(1, 10), "line 8\n", "line  8\n")}}, five), "line 8 is 'line  8'"));
    CHECK(
        says(refused({{"f.c", numbered(1, 7) + "line 8"}}, five), "does not apply")); // its line end is context too
}

TEST_CASE("series: applied already, missing files, and changes of nothing") {
    CHECK(says(refused({{"f.c", with_five}}, five), "hunk 1 of 1 (@@ -2,7 +2,7 @@ func) is applied already"));
    CHECK(says(refused({{"g.c", "x\n"}}, five), "p.patch: f.c: there is no such file"));
    CHECK(says(refused({{"f.c", numbered(1, 10)}}, replaced(five, "+five", "+line 5")), "changes nothing"));
    const std::string back =
        replaced(replaced(replaced(five, "-line 5", "-FIVE"), "+five", "+line 5"), "FIVE", "five");
    CHECK(says(refused({{"f.c", numbered(1, 10)}}, five + back), "undo one another"));
}

TEST_CASE("series: an error leaves no trace of the hunks and patches before it") {
    const Tree tree{{"f.c", numbered(1, 10)}};
    const std::string bad = five + "--- a/none.c\n+++ b/none.c\n@@ -1 +1 @@\n-a\n+b\n";
    CHECK(says(refused(tree, bad), "none.c: there is no such file"));
    CHECK(content(apply(tree, five), "f.c") == with_five); // the tree as it was
}

TEST_CASE("series: new, deleted, renamed and copied files") {
    const std::string create =
        "diff --git a/n.c b/n.c\nnew file mode 100755\nindex 000000000000..e69de29bb2d1\n--- /dev/null\n+++ "
        "b/n.c\n@@ -0,0 +1,2 @@\n+one\n+two\n";
    const auto made = apply({}, create);
    CHECK(content(made, "n.c") == "one\ntwo\n");
    CHECK(made.at("n.c").mode == 0755);
    CHECK(says(refused({{"n.c", "one\ntwo\n"}}, create), "n.c: is applied already"));
    CHECK(says(refused({{"n.c", "other\n"}}, create), "n.c: to be created, but there is such a file"));

    const std::string plain_create =
        "--- linux.orig/n.c\t1970-01-01 00:00:00\n+++ linux/n.c\t2026-01-01 00:00:00\n@@ -0,0 +1 @@\n+one\n";
    CHECK(content(apply({}, plain_create), "n.c") == "one\n");

    const std::string remove = "diff --git a/f.c b/f.c\ndeleted file mode 100644\n--- a/f.c\n+++ /dev/null\n@@ "
                               "-1,2 +0,0 @@\n-line 1\n-line 2\n";
    CHECK(apply({{"f.c", numbered(1, 2)}}, remove).at("f.c").content == std::nullopt);
    CHECK(says(refused({{"f.c", numbered(1, 3)}}, remove), "holds more than the patch removes"));
    CHECK(says(refused({}, remove), "to be deleted, but not in the tree"));

    const std::string rename = "diff --git a/f.c b/g.c\nsimilarity index 100%\nrename from f.c\nrename to g.c\n";
    const auto renamed = apply({{"f.c", "x\n"}}, rename);
    CHECK(content(renamed, "g.c") == "x\n");
    CHECK(renamed.at("f.c").content == std::nullopt);
    const auto copied = apply({{"f.c", "x\n"}}, replaced(rename, "rename", "copy"));
    CHECK(content(copied, "g.c") == "x\n");
    CHECK_FALSE(copied.contains("f.c"));

    const std::string empty = "diff --git a/e.c b/e.c\nnew file mode 100644\nindex 000000000000..e69de29bb2d1\n";
    CHECK(content(apply({}, empty), "e.c").empty());
    const std::string mode = "diff --git a/run.sh b/run.sh\nold mode 100644\nnew mode 100755\n";
    CHECK(apply({{"run.sh", "x\n"}}, mode).at("run.sh").mode == 0755);
}

TEST_CASE("series: a patch builds on the ones before it") {
    const std::string create = "--- /dev/null\n+++ b/n.c\n@@ -0,0 +1 @@\n+one\n";
    const std::string edit = "--- a/n.c\n+++ b/n.c\n@@ -1 +1 @@\n-one\n+two\n";
    std::vector<Patch> patches = parse_patches(create, "1.patch");
    patches.push_back(parse_patches(edit, "2.patch").front());
    CHECK(content(apply_patches(patches, reader({})), "n.c") == "two\n");
    std::swap(patches[0], patches[1]);
    CHECK(says(thrown([&] { apply_patches(patches, reader({})); }), "2.patch: n.c: there is no such file"));
}

TEST_CASE("series: a last line without its end") {
    const std::string patch = "--- a/f.c\n+++ b/f.c\n@@ -1,2 +1,2 @@\n line 1\n-line 2\n\\ No newline at end of "
                              "file\n+line two\n\\ No newline at end of file\n";
    CHECK(content(apply({{"f.c", "line 1\nline 2"}}, patch), "f.c") == "line 1\nline two");
    CHECK(says(refused({{"f.c", "line 1\nline 2\n"}}, patch), "does not apply"));
}

TEST_CASE("series: line ends of transport are not the patch's, those of the file are") {
    CHECK(content(apply({{"f.c", numbered(1, 10)}}, replaced(five, "\n", "\r\n")), "f.c") == with_five);
    const std::string dos =
        replaced(replaced(replaced(five, "\n", "\r\n"), "f.c\r\n", "f.c\n"), "func\r\n", "func\n");
    CHECK(content(apply({{"f.c", replaced(numbered(1, 10), "\n", "\r\n")}}, dos), "f.c") ==
          replaced(with_five, "\n", "\r\n"));
    const std::string stripped =
        "--- a/f.c\n+++ b/f.c\n@@ -1,3 +1,3 @@\n a\n\n-b\n+c\n"; // the blank of an empty context line
    CHECK(content(apply({{"f.c", "a\n\nb\n"}}, stripped), "f.c") == "a\n\nc\n");
}

TEST_CASE("series: an mbox of several mails with a cover letter") {
    const std::string from = "From 0123456789012345678901234567890123456789 Mon Sep 17 00:00:00 2001\n";
    const std::string second = "--- a/g.c\n+++ b/g.c\n@@ -1 +1 @@\n-x\n+y\n";
    const std::string mbox =
        from + "Subject: [PATCH 0/2] cover\n\nFrom here on it is better.\n f.c | 2 +-\n\n" + from +
        "Subject: [PATCH 1/2] sched: a subject\n that is folded\n\nWhy.\n---\n f.c | 2 +-\n\n" + five +
        "-- \n2.39.2\n\n" + from + "Subject: [PATCH 2/2] b\n\n" + second + "-- \n2.39.2\n";
    const auto patches = parse_patches(mbox, "all.mbox");
    REQUIRE(patches.size() == 2);
    CHECK(patches[0].name == "all.mbox, mail 2");
    CHECK(patches[0].subject == "[PATCH 1/2] sched: a subject that is folded");
    const auto changes = apply_patches(patches, reader({{"f.c", numbered(1, 10)}, {"g.c", "x\n"}}));
    CHECK(content(changes, "f.c") == with_five);
    CHECK(content(changes, "g.c") == "y\n");
    CHECK(says(thrown([&] {
                   apply_patches(patches, reader({{"f.c", numbered(1, 10)}, {"g.c", "z\n"}}));
               }),
               "all.mbox, mail 3: g.c: hunk 1 of 1"));
    CHECK(
        says(thrown([&] { parse_patches(from + "Subject: x\nContent-Transfer-Encoding: base64\n\nAAAA\n", "m"); }),
             "m: line 3: the mail is encoded"));
}

TEST_CASE("series: damaged patches are refused with their line") {
    const auto parse_error = [](const std::string &text, int strip = 1) {
        return thrown([&] { parse_patches(text, "p", strip); });
    };
    CHECK(says(parse_error("no diff at all\n"), "p holds no unified diff"));
    CHECK(says(parse_error(""), "p holds no unified diff"));
    CHECK(says(parse_error(five.substr(0, five.size() - 8)),
               "p: line 10: the file ends inside @@ -2,7 +2,7 @@ func"));
    CHECK(says(parse_error(replaced(five, " line 6\n", "line 6\n")), "p: line 9: neither context nor a change"));
    CHECK(says(parse_error(replaced(five, "-2,7", "-2,6")), "more lines than @@ -2,6 +2,7 @@"));
    CHECK(says(parse_error("@@ -1 +1 @@\n-a\n+b\n"), "a hunk without a file"));
    CHECK(says(parse_error("--- a/f\n+++ b/f\n"), "a file without hunks"));
    CHECK(says(parse_error("--- a/../../etc/passwd\n+++ b/../../etc/passwd\n@@ -1 +1 @@\n-a\n+b\n"),
               "a file outside the tree"));
    CHECK(says(parse_error("--- a//etc/passwd\n+++ b//etc/passwd\n@@ -1 +1 @@\n-a\n+b\n"),
               "a file outside the tree"));
    CHECK(says(parse_error("--- a/.git/config\n+++ b/.git/config\n@@ -1 +1 @@\n-a\n+b\n"),
               "a file outside the tree"));
    CHECK(says(parse_error(five, 2), "fewer than 2 leading directories"));
    CHECK(
        says(parse_error("diff --git a/x.png b/x.png\nindex 1..2 100644\nGIT binary patch\n"), "a binary change"));
    CHECK(
        says(parse_error("diff --git a/l b/l\nnew file mode 120000\n--- /dev/null\n+++ b/l\n@@ -0,0 +1 @@\n+to\n"),
             "not a regular file's"));
    CHECK(says(refused({{"f.c", "a\nb\n"}}, "--- a/f.c\n+++ b/f.c\n@@ -1,0 +2 @@\n+x\n"), "has no context lines"));
}

TEST_CASE("series: -p0 keeps the whole path") {
    const auto patches = parse_patches("--- kernel/f.c\n+++ kernel/f.c\n@@ -1 +1 @@\n-a\n+b\n", "p", 0);
    CHECK(patches[0].files[0].new_path == "kernel/f.c");
}
