#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "sql/dialect.hpp"
#include "sql/expr.hpp"

namespace tacit {

// Prints expressions as engine SQL. Rules call back into it for their arguments.
class ExpressionPrinter {
 public:
  using ColumnNamer = std::function<std::string(const Column&)>;  // qualified engine name of a column
  ExpressionPrinter(Dialect dialect, ColumnNamer name_of);

  Dialect dialect() const { return dialect_; }
  void text(std::string_view sql);    // appended as is
  void expression(const Expr& expr);  // with parentheses where needed
  // The exact number as the engine type that holds [its range] and `as`'s range without overflow; used by arithmetic.
  std::string take();  // what was printed so far; leaves the printer empty

 private:
  Dialect dialect_;
  ColumnNamer name_of_;
  std::string out_;
};

// 'it''s', DATE '2020-01-01', CAST(1.50 AS DECIMAL(3,2)), TRUE, NULL: with the type spelt out so that the engine cannot
// guess.
std::string print_literal(const Value& value, const SqlType& type, Dialect dialect);
std::string quote_identifier(std::string_view name);
std::string engine_type_name(const SqlType& type, Dialect dialect);

}  // namespace tacit
