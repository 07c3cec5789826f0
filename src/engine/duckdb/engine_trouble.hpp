#pragma once

#include <string>
#include <string_view>

#include "base/result.hpp"

namespace tacit::duckdb_engine {

// What went wrong, told from the beginning of DuckDB's message, where no value from the data can stand.
enum class ErrorKind {
  interrupted,
  out_of_memory,
  disk_full,         // no room to spill
  locked,            // another process writes the database
  other_version,     // of the storage format
  unreadable,        // a file is gone, cut short or damaged
  no_such_name,      // a table, column or function
  access_forbidden,  // a file the lock-down does not allow
  other,
};

// `path`: the file being opened, whose spelling must not decide; may be empty.
ErrorKind classify(std::string text, std::string_view path = {});

// The sentence for a statement that failed; never DuckDB's own text. REQUIRES: not interrupted.
Failure statement_failure(ErrorKind trouble);
// The sentence for a database file that could not be opened.
Failure open_failure(ErrorKind trouble, const std::string& path);

}  // namespace tacit::duckdb_engine
