#pragma once

#include <string>
#include <vector>

#include "base/result.hpp"
#include "sql/expr.hpp"

namespace tacit {

struct ScopeColumn {
  std::string name;      // what the analyst calls it here
  ColumnPtr column;      // null: it exists but cannot be used, `unusable` says why
  std::string unusable;  // a sentence
};

// One item of FROM under the name it has there.
struct ScopeTable {
  std::string schema;  // of a stored table without an alias; else empty
  std::string name;
  std::vector<ScopeColumn> columns;
};

// Which column a name means inside one SELECT, as SQL resolves it: `table.column` looks at one item of FROM; a bare
// `column` at all of them, where the columns of JOIN ... USING count once.
class Scope {
 public:
  static Scope of_table(ScopeTable table);

  // Everything of both sides. Each name of `merged` (USING) must be a usable column of both; afterwards it means the
  // left one. Refuses two items of the same name.
  static Result<Scope> join(const Scope& left, const Scope& right, const std::vector<std::string>& merged,
                            int position);

  // FROM (a JOIN b ...) AS name: one item with every bare name of this scope.
  ScopeTable as_table(std::string name) const;

  bool has_column(const std::string& name) const;
  // Whether the name is looked up here; if not, a subquery looks at the SELECT around it.
  bool knows(const std::vector<std::string>& path) const;
  // `path` is column, table.column or schema.table.column.
  Result<ColumnPtr> find(const std::vector<std::string>& path, int position) const;

 private:
  struct Visible {
    std::string table;
    ScopeColumn column;
  };
  Result<ColumnPtr> find_bare(const std::string& name, int position) const;
  static Result<ColumnPtr> find_in(const ScopeTable& table, const std::string& name, int position);

  std::vector<ScopeTable> tables_;
  std::vector<Visible> visible_;
};

// Renames the first columns of a table: FROM t AS name(a, b).
Status rename_columns(ScopeTable& table, const std::vector<std::string>& names, int position);

}  // namespace tacit
