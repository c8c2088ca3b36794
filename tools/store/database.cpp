// SPDX-License-Identifier: GPL-2.0-or-later
#include "store/database.h"

#include <cctype>
#include <fmt/format.h>
#include <sqlite3.h>

#include "core/error.h"

namespace schedlab {

namespace {

constexpr int busy_timeout_ms = 10'000;

std::string remedy_for(int code) {
    switch (code & 0xff) {
    case SQLITE_FULL: return "free some space, or keep the runs elsewhere with --db FILE; finished runs are safe";
    case SQLITE_BUSY:
    case SQLITE_LOCKED: return "another program holds it; wait for it, or use another file with --db FILE";
    case SQLITE_READONLY:
    case SQLITE_PERM:
    case SQLITE_CANTOPEN: return "runs are saved there: make the file and its directory writable, or use --db FILE";
    case SQLITE_NOTADB: return "name another file with --db FILE; this one is left as it is";
    case SQLITE_CORRUPT: return "move it away; 'sqlite3 FILE .recover' may save its runs";
    case SQLITE_IOERR: return "check the disk and its free space; finished runs are safe";
    default: return {};
    }
}

} // namespace

Database::Database(const std::filesystem::path &path, Access access) : path_(path), handle_(nullptr, sqlite3_close) {
    const int made = access == Access::write ? SQLITE_OPEN_CREATE : 0;
    if (const int code = open(path.string(), SQLITE_OPEN_READWRITE | made); code != SQLITE_OK)
        fail(code);
    writable_ = sqlite3_db_readonly(handle_.get(), "main") == 0; // SQLite falls back to this silently
    if (!writable_ && access == Access::write)
        fail(SQLITE_READONLY);
    if (access == Access::write)
        return;
    const int code = sqlite3_exec(handle_.get(), "SELECT 1 FROM sqlite_schema", nullptr, nullptr, nullptr);
    if (code == SQLITE_CANTOPEN || code == SQLITE_READONLY)
        open_unchanging();
}

int Database::open(const std::string &name, int flags) {
    sqlite3 *handle = nullptr;
    const int code = sqlite3_open_v2(name.c_str(), &handle, flags, nullptr);
    handle_.reset(handle);
    sqlite3_busy_timeout(handle, busy_timeout_ms);
    return code;
}

// A write-ahead log needs files beside the database, and even readers make them. Where they cannot, and there is no log whose
// runs would be missed, SQLite is told that nobody writes to the file just now: then it does without.
void Database::open_unchanging() {
    std::error_code none;
    if (const auto log = std::filesystem::file_size(path_.string() + "-wal", none); !none && log > 0)
        fail(SQLITE_CANTOPEN);
    std::string name = "file:";
    for (const unsigned char c : path_.string())
        name += std::isalnum(c) || c == '/' ? std::string(1, char(c)) : fmt::format("%{:02x}", c);
    if (const int code = open(name + "?immutable=1", SQLITE_OPEN_READONLY | SQLITE_OPEN_URI); code != SQLITE_OK)
        fail(code);
    writable_ = false;
}

void Database::fail(int code) const {
    const int err = handle_ ? sqlite3_system_errno(handle_.get()) : 0;
    throw environment_error(fmt::format("run store {}: {}{}", path_.string(), sqlite3_errstr(code),
                                        err ? " (" + errno_text(err) + ")" : ""),
                            remedy_for(code));
}

void Database::execute(const std::string &sql) {
    const int code = sqlite3_exec(handle_.get(), sql.c_str(), nullptr, nullptr, nullptr);
    if (code != SQLITE_OK)
        fail(code);
}

std::int64_t Database::integer(const std::string &sql) {
    Statement statement(*this, sql);
    statement.step();
    return statement.integer(0);
}

std::int64_t Database::last_id() const { return sqlite3_last_insert_rowid(handle_.get()); }

std::int64_t Database::changes() const { return sqlite3_changes64(handle_.get()); }

Statement::Statement(const Database &db, const std::string &sql) : db_(db), handle_(nullptr, sqlite3_finalize) {
    sqlite3_stmt *handle = nullptr;
    const int code = sqlite3_prepare_v2(db.handle_.get(), sql.c_str(), int(sql.size()), &handle, nullptr);
    if (code != SQLITE_OK)
        db.fail(code);
    handle_.reset(handle);
}

Statement &Statement::bind(const std::string &text) {
    sqlite3_bind_text(handle_.get(), ++bound_, text.data(), int(text.size()), SQLITE_TRANSIENT);
    return *this;
}

Statement &Statement::bind(std::nullptr_t) {
    sqlite3_bind_null(handle_.get(), ++bound_);
    return *this;
}

Statement &Statement::bind(double value) {
    sqlite3_bind_double(handle_.get(), ++bound_, value);
    return *this;
}

Statement &Statement::bind(std::int64_t value) {
    sqlite3_bind_int64(handle_.get(), ++bound_, value);
    return *this;
}

bool Statement::step() {
    const int code = sqlite3_step(handle_.get());
    if (code != SQLITE_ROW && code != SQLITE_DONE)
        db_.fail(code);
    return code == SQLITE_ROW;
}

std::string Statement::text(int column) const {
    const auto *text = reinterpret_cast<const char *>(sqlite3_column_text(handle_.get(), column));
    return text ? std::string(text, std::size_t(sqlite3_column_bytes(handle_.get(), column))) : std::string();
}

double Statement::real(int column) const { return sqlite3_column_double(handle_.get(), column); }

std::int64_t Statement::integer(int column) const { return sqlite3_column_int64(handle_.get(), column); }

Transaction::Transaction(Database &db) : db_(db) { db_.execute("BEGIN IMMEDIATE"); }

Transaction::~Transaction() {
    if (open_)
        sqlite3_exec(db_.handle_.get(), "ROLLBACK", nullptr, nullptr, nullptr);
}

void Transaction::commit() {
    db_.execute("COMMIT");
    open_ = false;
}

} // namespace schedlab
