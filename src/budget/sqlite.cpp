#include "budget/sqlite.hpp"

#include <fmt/format.h>
#include <sqlite3.h>

#include <thread>
#include <utility>

#include "base/check.hpp"

namespace tacit {
namespace {

Failure sentence_for(int code, const std::string& path) {
  const auto ledger = [&](std::string what, std::string hint) {
    return Failure{FailureCode::ledger, std::move(what), path, std::move(hint)};
  };
  const char* const rights = "give this user the right to read and write the ledger and its folder";
  switch (code & 0xFF) {
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
    case SQLITE_PROTOCOL: return ledger("another process holds the ledger", "wait until it is done, then ask again");
    case SQLITE_NOTADB:
      return ledger("the file is not a ledger, it was left untouched", "set [ledger].path to another file");
    case SQLITE_CORRUPT: return ledger("the ledger is damaged", "keep the file and put back the newest backup");
    case SQLITE_READONLY: return ledger("the ledger cannot be written", rights);
    case SQLITE_CANTOPEN:
    case SQLITE_PERM:
    case SQLITE_AUTH: return ledger("the ledger cannot be opened", rights);
    case SQLITE_FULL:
      return ledger("the disk that holds the ledger is full", "free some space; what was recorded before is safe");
    case SQLITE_IOERR:
      return ledger("the ledger could not be read or written",
                    "check the disk that holds it; what was recorded before is safe");
    case SQLITE_NOMEM: return ledger("memory ran out while using the ledger", "free some memory and ask again");
    case SQLITE_CONSTRAINT:
      return ledger("the ledger refused an event that contradicts its history", "look at `tacit ledger show`");
    default:
      return ledger(fmt::format("the ledger cannot be used (SQLite code {})", code),
                    "check the file, or put back the newest backup");
  }
}

}  // namespace

Statement::Statement(sqlite3_stmt* statement, const std::string* path) : statement_(statement), path_(path) {}

void Statement::Finalize::operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }

Result<bool> Statement::step() {
  const int code = sqlite3_step(statement_.get());
  if (code == SQLITE_ROW) return true;
  if (code == SQLITE_DONE) return false;
  return fail(sentence_for(code, *path_));
}

std::int64_t Statement::integer(int column) const { return sqlite3_column_int64(statement_.get(), column); }

std::string Statement::text(int column) const {
  const auto* bytes = reinterpret_cast<const char*>(sqlite3_column_text(statement_.get(), column));
  return bytes ? std::string(bytes, static_cast<std::size_t>(sqlite3_column_bytes(statement_.get(), column))) : "";
}

SqliteFile::SqliteFile(std::unique_ptr<sqlite3, Close> database, std::unique_ptr<const std::string> path,
                       std::unique_ptr<Patience> patience)
    : path_(std::move(path)), patience_(std::move(patience)), database_(std::move(database)) {}

void SqliteFile::Close::operator()(sqlite3* database) const { sqlite3_close(database); }

// SQLite's own handler sleeps up to 100 ms between tries and starves the unlucky one of many writers; ours does not.
int SqliteFile::wait_for_other_process(void* patience, int tries) {
  auto& since = static_cast<Patience*>(patience)->since;
  const auto now = std::chrono::steady_clock::now();
  if (tries == 0) since = now;
  if (now - since >= ledger_patience) return 0;
  std::this_thread::sleep_for(std::chrono::microseconds(tries < 10 ? 200 : 1000));
  return 1;
}

Result<SqliteFile> SqliteFile::open(const std::string& path) {
  // A name that SQLite would read as a URI or as a database in memory is a plain file here.
  const std::string file = path.starts_with('/') ? path : "./" + path;
  sqlite3* opened = nullptr;
  const int code = sqlite3_open_v2(file.c_str(), &opened, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, nullptr);
  std::unique_ptr<sqlite3, Close> database(opened);
  if (code != SQLITE_OK) return fail(sentence_for(code, path));
  sqlite3_extended_result_codes(opened, 1);
  auto patience = std::make_unique<Patience>();
  sqlite3_busy_handler(opened, &wait_for_other_process, patience.get());
  sqlite3_db_config(opened, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
  sqlite3_db_config(opened, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
  if (sqlite3_db_readonly(opened, "main") == 1) return fail(sentence_for(SQLITE_READONLY, path));
  return SqliteFile(std::move(database), std::make_unique<const std::string>(path), std::move(patience));
}

Failure SqliteFile::failure(int code) const { return sentence_for(code, *path_); }

Result<Statement> SqliteFile::prepare(const char* sql, std::initializer_list<SqlArgument> arguments) {
  sqlite3_stmt* prepared = nullptr;
  if (const int code = sqlite3_prepare_v2(database_.get(), sql, -1, &prepared, nullptr); code != SQLITE_OK) {
    return fail(failure(code));
  }
  Statement statement(prepared, path_.get());
  int index = 0;
  for (const SqlArgument& argument : arguments) {
    ++index;
    const auto* text = std::get_if<std::string_view>(&argument);
    const int code = text ? sqlite3_bind_text64(prepared, index, text->empty() ? "" : text->data(), text->size(),
                                                SQLITE_TRANSIENT, SQLITE_UTF8)
                          : sqlite3_bind_int64(prepared, index, std::get<std::int64_t>(argument));
    if (code != SQLITE_OK) return fail(failure(code));
  }
  return statement;
}

Status SqliteFile::run(const char* sql, std::initializer_list<SqlArgument> arguments) {
  TACIT_TRY(Statement statement, prepare(sql, arguments));
  for (;;) {
    TACIT_TRY(const bool row, statement.step());
    if (!row) return {};
  }
}

Status SqliteFile::run_script(const char* sql) {
  const int code = sqlite3_exec(database_.get(), sql, nullptr, nullptr, nullptr);
  if (code != SQLITE_OK) return fail(failure(code));
  return {};
}

Result<std::int64_t> SqliteFile::integer(const char* sql, std::initializer_list<SqlArgument> arguments) {
  TACIT_TRY(Statement statement, prepare(sql, arguments));
  TACIT_TRY(const bool row, statement.step());
  if (!row) return fail(failure(SQLITE_CORRUPT));
  return statement.integer(0);
}

Result<std::string> SqliteFile::text(const char* sql, std::initializer_list<SqlArgument> arguments) {
  TACIT_TRY(Statement statement, prepare(sql, arguments));
  TACIT_TRY(const bool row, statement.step());
  if (!row) return fail(failure(SQLITE_CORRUPT));
  return statement.text(0);
}

bool SqliteFile::in_transaction() const { return sqlite3_get_autocommit(database_.get()) == 0; }

bool SqliteFile::was_refused_by_a_lock() const { return (sqlite3_errcode(database_.get()) & 0xFF) == SQLITE_BUSY; }

bool SqliteFile::file_was_moved() const {
  int moved = 0;
  const int code = sqlite3_file_control(database_.get(), "main", SQLITE_FCNTL_HAS_MOVED, &moved);
  return code == SQLITE_OK && moved != 0;
}

Result<Transaction> Transaction::begin_write(SqliteFile& connection) {
  TACIT_CHECK(!connection.in_transaction(), "transactions of one connection do not nest");
  TACIT_TRY_STATUS(connection.run("BEGIN IMMEDIATE"));
  Transaction transaction(connection);
  if (connection.file_was_moved()) {
    return fail({FailureCode::ledger, "the ledger was moved or removed while it was in use", connection.path(),
                 "put it back and start again"});
  }
  return transaction;
}

Result<Transaction> Transaction::begin_read(SqliteFile& connection) {
  TACIT_CHECK(!connection.in_transaction(), "transactions of one connection do not nest");
  TACIT_TRY_STATUS(connection.run("BEGIN"));
  return Transaction(connection);
}

Transaction::Transaction(Transaction&& other) noexcept : connection_(std::exchange(other.connection_, nullptr)) {}

Transaction::~Transaction() {
  if (connection_ && connection_->in_transaction()) (void)connection_->run("ROLLBACK");
}

Status Transaction::commit() { return connection_->run("COMMIT"); }

}  // namespace tacit
