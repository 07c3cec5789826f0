#include "rewrite/public_statements.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/check.hpp"
#include "sensitivity/groups/group_domains.hpp"
#include "sql/print_expression.hpp"
#include "sql/print_relation.hpp"

namespace tacit {
namespace {

// Columns of a scan as its statement reads them.
std::vector<std::string> printed(const std::vector<std::string>& names, const Relation& scan,
                                 const PrintedRelation& relation) {
  std::vector<std::string> columns;
  for (const auto& name : names) {
    const auto found = std::find_if(scan.columns.begin(), scan.columns.end(),
                                    [&](const ColumnPtr& column) { return column->name == name; });
    TACIT_CHECK(found != scan.columns.end(), "what is assumed names columns of its scan");
    columns.push_back(relation.names.at(found->get()));
  }
  return columns;
}

}  // namespace

PublicQuery domain_statement(const PublicKeys& domain, const Dialect& dialect) {
  const PrintedRelation relation = print_relation(*domain.scan, dialect);
  PublicQuery result;
  std::string select;
  std::string order;
  for (std::size_t i = 0; i < domain.expressions.size(); ++i) {
    const Expr& expr = *domain.expressions[i];
    // Text in the order of its bytes, whatever the engine's collation.
    select += fmt::format("{}{}{} AS k{}", i == 0 ? "" : ", ", print_expression(expr, relation, dialect),
                          dialect.byte_order_of(expr.type), i + 1);
    order += fmt::format("{}{}", i == 0 ? "" : ", ", i + 1);
    result.columns.push_back(expr.type);
  }
  result.sql = fmt::format("SELECT DISTINCT {}\nFROM {}{}\nORDER BY {}\nLIMIT {}", select, relation.from,
                           relation.where.empty() ? "" : "\nWHERE " + relation.where, order, most_groups + 1);
  return result;
}

PublicQuery key_check_statement(const AssumedKey& key, const Dialect& dialect) {
  const PrintedRelation relation = print_relation(*key.scan, dialect);
  const std::vector<std::string> columns = printed(key.columns, *key.scan, relation);
  std::vector<std::string> is_null;
  std::vector<std::string> is_not_null;
  for (const auto& column : columns) {
    is_null.push_back(column + " IS NULL");
    is_not_null.push_back(column + " IS NOT NULL");
  }
  const std::string where = key.has_no_nulls ? "" : fmt::format("\nWHERE {}", fmt::join(is_not_null, " AND "));
  const std::string or_null = key.has_no_nulls ? fmt::format(" OR {}", fmt::join(is_null, " OR ")) : "";
  return {fmt::format("SELECT CAST(1 AS BIGINT) AS repeated\nFROM {}{}\nGROUP BY {}\nHAVING COUNT(*) > 1{}\nLIMIT 1",
                      relation.from, where, fmt::join(columns, ", "), or_null),
          {SqlType::integer(64)}};
}

PublicQuery dependency_check_statement(const AssumedDependency& assumed, const Dialect& dialect) {
  const PrintedRelation relation = print_relation(*assumed.scan, dialect);
  const Dependency& dependency = *assumed.dependency;
  std::vector<std::string> select;
  std::vector<std::string> from;
  for (const auto& column : printed(dependency.from, *assumed.scan, relation)) {
    from.push_back(fmt::format("x{}", from.size() + 1));
    select.push_back(fmt::format("{} AS {}", column, from.back()));
  }
  for (const auto& column : printed(dependency.to, *assumed.scan, relation)) {
    select.push_back(fmt::format("{} AS y{}", column, select.size() - from.size() + 1));
  }
  const char* distinct = dependency.to.empty() ? "" : "DISTINCT ";  // X ->[k] rows counts them
  return {fmt::format("SELECT CAST(1 AS BIGINT) AS broken\nFROM (SELECT {}{}\n  FROM {}) AS d\nGROUP BY {}\n"
                      "HAVING COUNT(*) > {}\nLIMIT 1",
                      distinct, fmt::join(select, ", "), relation.from, fmt::join(from, ", "), dependency.limit),
          {SqlType::integer(64)}};
}

// Rows with NULL in a column that is equated with something meet nothing.
PublicQuery count_statement(const RowCount& count, const Dialect& dialect) {
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
