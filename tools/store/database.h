// SPDX-License-Identifier: GPL-2.0-or-later
// SQLite with checked calls: every failure is an environment error that names the file and says what to do.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>

struct sqlite3;
struct sqlite3_stmt;

namespace schedlab {

// read: may be a file that cannot be written, and is never made; write: made if there is none.
enum class Access { read, write };

class Database {
public:
    explicit Database(const std::filesystem::path &path, Access access = Access::write);

    void execute(const std::string &sql);
    std::int64_t integer(const std::string &sql); // the one value that `sql` yields
    std::int64_t last_id() const;                 // of the row inserted last
    std::int64_t changes() const;                 // rows that the last statement changed
    const std::filesystem::path &path() const { return path_; }
    bool writable() const { return writable_; } // always, if that was asked for
    [[noreturn]] void fail(int code) const;       // throws what SQLite's result code means

private:
    friend class Statement;
    friend class Transaction;
    int open(const std::string &name, int flags); // → SQLite's result code
    void open_unchanging();

    std::filesystem::path path_;
    std::unique_ptr<sqlite3, int (*)(sqlite3 *)> handle_;
    bool writable_ = true;
};

// A prepared statement; parameters are bound in order: Statement(db, "... WHERE x = ?").bind("text").
class Statement {
public:
    Statement(const Database &db, const std::string &sql);

    Statement &bind(const std::string &text);
    Statement &bind(std::nullptr_t);
    Statement &bind(double value);
    Statement &bind(std::int64_t value);
    bool step(); // true: a row is there
    std::string text(int column) const;
    double real(int column) const;
    std::int64_t integer(int column) const;

private:
    const Database &db_;
    std::unique_ptr<sqlite3_stmt, int (*)(sqlite3_stmt *)> handle_;
    int bound_ = 0;
};

// All of a block's changes or none: rolled back unless commit() was reached.
class Transaction {
public:
    explicit Transaction(Database &db);
    ~Transaction();
    void commit();

private:
    Database &db_;
    bool open_ = true;
};

} // namespace schedlab
