#include "rewrite/to_grid_units.hpp"

#include <fmt/format.h>

#include <cmath>

#include "sql/print_expression.hpp"

namespace tacit {

std::string to_grid_units(const std::string& sql, int exponent, const Dialect& dialect) {
  const std::string steps = print_literal(std::ldexp(1.0, exponent), SqlType::real(), dialect);
  std::string product = fmt::format("({}) * {}", sql, steps);
  if (exponent < 0 && dialect.underflow_raises()) {
    product = fmt::format("CASE WHEN ABS({0}) < 1 THEN 0 ELSE {1} END", sql, product);
  }
  return fmt::format("CAST({} AS {})", product, dialect.computed_type_name(SqlType::integer(64)));
}

}  // namespace tacit
