#pragma once

#include <string>
#include <vector>

#include "base/result.hpp"

namespace tacit {

struct NamedQuery {
  std::string name;
  std::string sql;           // without its semicolon
  std::string options = {};  // what a line `-- options: ...` after the name says
};

// Reads statements that each follow a line `-- name: NAME`; other comment lines are skipped. Refuses a statement
// without a name, a name without a statement and a name that occurs twice.
Result<std::vector<NamedQuery>> read_named_queries(const std::string& text);

// The statements of a file of ours: ended by semicolons that stand at the end of a line; comment lines are skipped.
std::vector<std::string> split_statements(const std::string& text);

// Gives every TPC-H table of a FROM clause, of subqueries too, its schema: the engine looks names up in no path.
std::string with_schema(const std::string& sql, const std::string& schema);

// The whole of a file, or a usage failure that names it.
Result<std::string> read_whole_file(const std::string& path);

}  // namespace tacit
