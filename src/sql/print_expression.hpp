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
  ExpressionPrinter(const Dialect& dialect, ColumnNamer name_of);

  const Dialect& dialect() const { return dialect_; }
  void text(std::string_view sql);    // appended as is
  void expression(const Expr& expr);  // a call stands in parentheses of its own: safe beside any operator
  // The same, where the engine type decides how the result is computed: a bare column may be stored in a narrower
  // engine type (an unsigned integer, a float) than the SQL type that the proof is about. A decimal column may hold
  // NaN, which is NULL to every computation.
  void operand(const Expr& expr);
  // The same where a comparison has shown that the value is at most some number, so that it is not NaN.
  void bounded_operand(const Expr& expr);
  void literal(const Value& value, const SqlType& type);
  std::string take();  // what was printed so far; leaves the printer empty

 private:
  const Dialect& dialect_;
  ColumnNamer name_of_;
  std::string out_;
};

// 'it''s', DATE '2020-01-01', CAST(1.50 AS DECIMAL(3,2)), TRUE, NULL: with the type spelt out so that the engine cannot
// guess. A 32-bit integer needs no cast.
std::string print_literal(const Value& value, const SqlType& type, const Dialect& dialect);
// A finite double as an expression of that type.
std::string double_literal(double value, const Dialect& dialect);
std::string quote_identifier(std::string_view name);

}  // namespace tacit
