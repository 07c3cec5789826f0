#pragma once

#include <chrono>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <string>
#include <string_view>
#include <variant>

#include "base/result.hpp"

struct sqlite3;
struct sqlite3_stmt;

namespace tacit {

// How long a call waits for another process before it gives up.
inline constexpr std::chrono::seconds ledger_patience{5};

using SqlArgument = std::variant<std::int64_t, std::string_view>;

// A prepared statement with its arguments bound. Must not outlive its connection.
class Statement {
 public:
  Statement(sqlite3_stmt* statement, const std::string* path);
  Result<bool> step();  // true: there is a row
  std::int64_t integer(int column) const;
  std::string text(int column) const;

 private:
  struct Finalize {
    void operator()(sqlite3_stmt* statement) const;
  };
  std::unique_ptr<sqlite3_stmt, Finalize> statement_;
  const std::string* path_;
};

// One open SQLite file. Failures carry FailureCode::ledger and our own sentences, never SQLite's. One thread at a time.
class SqliteFile {
 public:
  // Opens a file that exists, for reading and writing.
  static Result<SqliteFile> open(const std::string& path);
  SqliteFile(SqliteFile&&) noexcept = default;
  SqliteFile& operator=(SqliteFile&&) = delete;

  Result<Statement> prepare(const char* sql, std::initializer_list<SqlArgument> arguments = {});
  Status run(const char* sql, std::initializer_list<SqlArgument> arguments = {});  // one statement, rows ignored
  Status run_script(const char* sql);                                              // several statements, no arguments
  // The first column of the first row; a failure when there is none.
  Result<std::int64_t> integer(const char* sql, std::initializer_list<SqlArgument> arguments = {});
  Result<std::string> text(const char* sql, std::initializer_list<SqlArgument> arguments = {});

  bool in_transaction() const;
  bool was_refused_by_a_lock() const;  // the last call failed because another process holds the file
  bool file_was_moved() const;         // the path no longer leads to the file that is open
  const std::string& path() const { return *path_; }

 private:
  struct Close {
    void operator()(sqlite3* database) const;
  };
  struct Patience {  // of the call that is waiting now
    std::chrono::steady_clock::time_point since;
  };
  SqliteFile(std::unique_ptr<sqlite3, Close> database, std::unique_ptr<const std::string> path,
             std::unique_ptr<Patience> patience);
  static int wait_for_other_process(void* patience, int tries);
  Failure failure(int code) const;

  std::unique_ptr<const std::string> path_;  // stable addresses: statements and SQLite point to them
  std::unique_ptr<Patience> patience_;
  std::unique_ptr<sqlite3, Close> database_;
};

// Everything between begin and commit happens or does not. A transaction that is dropped is rolled back.
// After a failed commit the caller must assume nothing: the writes may be there or not.
class Transaction {
 public:
  static Result<Transaction> begin_write(SqliteFile& connection);  // no other writer until its end
  static Result<Transaction> begin_read(SqliteFile& connection);   // one state of the file throughout
  Transaction(Transaction&& other) noexcept;
  Transaction& operator=(Transaction&&) = delete;
  ~Transaction();
  Status commit();  // durable when it returns well

 private:
  explicit Transaction(SqliteFile& connection) : connection_(&connection) {}
  SqliteFile* connection_;  // null when moved from
};

}  // namespace tacit
