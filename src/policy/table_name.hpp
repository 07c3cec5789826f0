#pragma once

#include <string>
#include <string_view>

#include "base/result.hpp"

namespace tacit {

struct TableName {
  std::string schema;  // empty: the engine's default schema
  std::string name;    // folded as PostgreSQL folds it
  friend bool operator==(const TableName&, const TableName&) = default;
  friend auto operator<=>(const TableName&, const TableName&) = default;
};
std::string to_string(const TableName& name);  // schema.name, quoted where needed

// Folds an identifier as PostgreSQL does: unquoted to lower case, "quoted" kept, "" inside quotes is one quote.
// One or two names with a point between; at most 63 bytes each.
Result<TableName> parse_table_name(std::string_view text);
Result<std::string> parse_column_name(std::string_view text);

}  // namespace tacit
