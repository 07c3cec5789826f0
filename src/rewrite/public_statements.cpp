#include "rewrite/public_statements.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/check.hpp"
#include "sensitivity/rows/group_domains.hpp"
#include "sql/print_expression.hpp"
#include "sql/print_relation.hpp"

namespace tacit {

PublicQuery domain_statement(const PublicKeys& domain, Dialect dialect) {
  const PrintedRelation relation = print_relation(*domain.scan, dialect);
  PublicQuery result;
  std::string select;
  std::string order;
  for (std::size_t i = 0; i < domain.expressions.size(); ++i) {
    const Expr& expr = *domain.expressions[i];
    // Text in the order of its bytes, whatever the engine's collation.
    const bool collates = dialect == Dialect::postgres && expr.type.kind == TypeKind::text;
    select += fmt::format("{}{}{} AS k{}", i == 0 ? "" : ", ", print_expression(expr, relation, dialect),
                          collates ? " COLLATE \"C\"" : "", i + 1);
    order += fmt::format("{}{}", i == 0 ? "" : ", ", i + 1);
    result.columns.push_back(expr.type);
  }
  result.sql = fmt::format("SELECT DISTINCT {}\nFROM {}{}\nORDER BY {}\nLIMIT {}", select, relation.from,
                           relation.where.empty() ? "" : "\nWHERE " + relation.where, order, most_groups + 1);
  return result;
}

PublicQuery key_check_statement(const AssumedKey& key, Dialect dialect) {
  const PrintedRelation relation = print_relation(*key.scan, dialect);
  std::string columns;
  std::string not_null;
  for (const auto& name : key.columns) {
    const auto found = std::find_if(key.scan->columns.begin(), key.scan->columns.end(),
                                    [&](const ColumnPtr& column) { return column->name == name; });
    TACIT_CHECK(found != key.scan->columns.end(), "an assumed key names columns of its scan");
    const std::string& column = relation.names.at(found->get());
    columns += (columns.empty() ? "" : ", ") + column;
    not_null += (not_null.empty() ? "" : " AND ") + column + " IS NOT NULL";
  }
  return {
      fmt::format("SELECT CAST(1 AS BIGINT) AS repeated\nFROM {}\nWHERE {}\nGROUP BY {}\nHAVING COUNT(*) > 1\nLIMIT 1",
                  relation.from, not_null, columns),
      {SqlType::integer(64)}};
}

// Rows with NULL in a column that is equated with something meet nothing.
PublicQuery count_statement(const RowCount& count, Dialect dialect) {
  const PrintedRelation relation = print_relation(*count.rows, dialect);
  std::string where = relation.where.empty() ? "" : fmt::format("({})", relation.where);
  std::string columns;
  for (const Column* column : count.columns) {
    const std::string& name = relation.names.at(column);
    columns += (columns.empty() ? "" : ", ") + name;
    where += fmt::format("{}{} IS NOT NULL", where.empty() ? "" : " AND ", name);
  }
  if (!where.empty()) where = "\nWHERE " + where;
  if (columns.empty()) {
    return {fmt::format("SELECT CAST(COUNT(*) AS BIGINT) AS rows_met\nFROM {}{}", relation.from, where),
            {SqlType::integer(64)}};
  }
  return {fmt::format(
              "SELECT CAST(COALESCE(MAX(n), 0) AS BIGINT) AS rows_met\nFROM (SELECT COUNT(*) AS n FROM {}{}\nGROUP BY "
              "{}) AS g",
              relation.from, where, columns),
          {SqlType::integer(64)}};
}

}  // namespace tacit
