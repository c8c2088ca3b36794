// SPDX-License-Identifier: GPL-2.0-or-later
// Frames stand in the table ui_results of its database BenchmarkResults, with the columns name (of the test), iteration,
// total_duration (ms) and jank_frame (0 or 1) among others; or in that table as text, with titles, by `sqlite3 -header` with or
// without -csv.
#include "import/jankbench.h"

#include <algorithm>
#include <fstream>
#include <sqlite3.h>

#include "core/error.h"
#include "import/scan.h"

namespace schedlab {

namespace {

constexpr std::string_view titles[] = {"name", "iteration", "total_duration", "jank_frame"};

std::string_view unquoted(std::string_view field) {
    return field.size() >= 2 && field.front() == '"' && field.back() == '"' ? field.substr(1, field.size() - 2) : field;
}

struct Close {
    void operator()(sqlite3 *db) const { sqlite3_close(db); }
    void operator()(sqlite3_stmt *statement) const { sqlite3_finalize(statement); }
};

} // namespace

void Jankbench::take(std::size_t number, std::string_view line) {
    if (trimmed(line).empty())
        return;
    if (columns_.empty())
        return take_titles(number, line);
    const std::vector<std::string_view> fields = fields_of(line, separator_);
    if (fields.size() <= std::ranges::max(columns_))
        return skip(number, "fewer columns than titles");
    const auto iteration = number_in(fields[columns_[1]]), ms = number_in(fields[columns_[2]]), jank = number_in(fields[columns_[3]]);
    if (!iteration || !ms || !jank)
        return skip(number, "iteration, total_duration or jank_frame is no number");
    add(number, unquoted(fields[columns_[0]]), *iteration, *ms, *jank != 0);
}

void Jankbench::take_titles(std::size_t number, std::string_view line) {
    separator_ = holds(line, "|") ? '|' : ',';
    const std::vector<std::string_view> fields = fields_of(line, separator_);
    for (const std::string_view title : titles) {
        const auto at = std::ranges::find(fields, title, unquoted);
        if (at == fields.end()) {
            columns_.clear();
            return skip(number, "not the titles of ui_results");
        }
        columns_.push_back(std::size_t(at - fields.begin()));
    }
}

void Jankbench::add(std::size_t row, std::string_view test, double iteration, double ms, bool jank) {
    Iteration &at = iterations_[iteration];
    at.line = at.line ? at.line : row;
    Frames &frames = at.frames[std::string(test)];
    frames.sample.add(ms);
    frames.janks += jank;
}

void Jankbench::end() {
    for (const auto &[iteration, tests] : iterations_) {
        Record &record = begin(tests.line, "jankbench");
        Frames all;
        for (const auto &[name, frames] : tests.frames) {
            all.sample.add(frames.sample);
            all.janks += frames.janks;
        }
        add_frames(record, "", all.sample, all.janks);
        for (const auto &[name, frames] : tests.frames)
            add_frames(record, name + ".", frames.sample, frames.janks);
    }
}

bool is_sqlite(const std::filesystem::path &file) {
    constexpr std::string_view magic("SQLite format 3\0", 16);
    std::string head(magic.size(), '\0');
    std::ifstream(file, std::ios::binary).read(head.data(), std::streamsize(head.size()));
    return head == magic;
}

std::unique_ptr<LogParser> read_jankbench_db(const std::filesystem::path &file) {
    sqlite3 *opened = nullptr;
    int status = sqlite3_open_v2(file.c_str(), &opened, SQLITE_OPEN_READONLY, nullptr);
    const std::unique_ptr<sqlite3, Close> db(opened);
    const auto fail = [&] {
        throw usage_error(file.string() + ": an SQLite file, but none of Jankbench's results: " + sqlite3_errmsg(db.get()),
                          "its BenchmarkResults has a table ui_results; runs of schedlab are named by --db");
    };
    sqlite3_stmt *prepared = nullptr;
    if (status == SQLITE_OK)
        status = sqlite3_prepare_v2(db.get(), "SELECT name, iteration, total_duration, jank_frame FROM ui_results", -1, &prepared, nullptr);
    const std::unique_ptr<sqlite3_stmt, Close> rows(prepared);
    if (status != SQLITE_OK)
        fail();
    auto parser = std::make_unique<Jankbench>();
    std::size_t row = 0;
    while ((status = sqlite3_step(rows.get())) == SQLITE_ROW) {
        const auto *name = reinterpret_cast<const char *>(sqlite3_column_text(rows.get(), 0));
        parser->add(++row, name ? name : "", sqlite3_column_double(rows.get(), 1), sqlite3_column_double(rows.get(), 2),
                    sqlite3_column_int(rows.get(), 3) != 0);
    }
    if (status != SQLITE_DONE)
        fail();
    return parser;
}

const LogFormat jankbench_format = {
    "Jankbench", "Jankbench: its database, its table ui_results as text or JSON, what it uploads",
    [](std::string_view line) { return holds(line, "iteration") && holds(line, "total_duration") && holds(line, "jank_frame"); },
    [] { return std::unique_ptr<LogParser>(std::make_unique<Jankbench>()); }};

} // namespace schedlab
