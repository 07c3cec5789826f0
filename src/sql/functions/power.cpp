// power(x, y) as a double. NULL where PostgreSQL raises an error: 0 to a negative power, a negative number to a power
// that is not whole, overflow. Where y ln|x| < -700 it is 0, near PostgreSQL's error of underflow.
//
// Where the ranges prove that none of these can happen, and that the result stays below 1e300, the engine's function
// stands alone:
//   1. y is a whole literal n >= 0, or n < 0 and the range of x excludes zero; or
//   2. x > 0; or x >= 0 and y > 0.
// There x^y is monotone in x on each side of zero and in y, so its extremes are at the corners of the ranges (and at
// zero). Otherwise operands are guarded by y ln|x| <= 230, and the result is at most 1e100.
//
// Where a result below e^-700 is possible, it is 0. Where underflow is no error, there is no such guard beside a
// literal y, and such a result is left as it is. Where it is one (Dialect::underflow_raises), y ln|x| must not
// underflow either: y is read as y + 1e-200, which is y unless x^y is 1.
#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

#include "sql/functions/common_type.hpp"
#include "sql/functions/conversions.hpp"
#include "sql/functions/real_range.hpp"
#include "sql/functions/refusals.hpp"
#include "sql/functions/rules.hpp"
#include "sql/print_expression.hpp"

namespace tacit {
namespace {

constexpr double largest_logarithm = 230.0;  // e^230 < 1e100
constexpr double least_logarithm = -700.0;   // e^-700 is a normal double

bool is_whole_literal(const Expr& y) {
  if (!is_literal(y) || is_null_literal(y)) return false;
  const double value = std::get<double>(literal_value(y));
  return value == std::floor(value) && std::abs(value) <= 1000.0;
}

bool contains_zero(const RealRange& range) { return range.lo.value <= 0.0 && range.hi.value >= 0.0; }

bool is_defined_everywhere(const Expr& x_expr, const Expr& y_expr) {
  const RealRange& x = real_range(x_expr);
  const RealRange& y = real_range(y_expr);
  if (is_whole_literal(y_expr) && (y.lo.value >= 0.0 || !contains_zero(x))) return true;
  return x.lo.value > 0.0 || (x.lo.value >= 0.0 && y.lo.value > 0.0);
}

// Whether x^y may lie below e^-700, or near it.
bool may_underflow(const RealRange& x, const RealRange& y) {
  if (y.lo.value == 0.0 && y.hi.value == 0.0) return false;
  const double largest = std::max(std::abs(x.lo.value), std::abs(x.hi.value));
  const double least = contains_zero(x) ? 0.0 : std::min(std::abs(x.lo.value), std::abs(x.hi.value));
  if (least == 0.0) return true;
  for (const double base : {least, largest}) {
    for (const double exponent : {y.lo.value, y.hi.value}) {
      if (exponent * std::log(base) < least_logarithm + 1.0) return true;
    }
  }
  return false;
}

// Empty when a guard is needed.
std::optional<RealRange> unguarded_range(const Expr& x_expr, const Expr& y_expr) {
  if (!is_defined_everywhere(x_expr, y_expr)) return std::nullopt;
  const RealRange& x = real_range(x_expr);
  const RealRange& y = real_range(y_expr);
  std::vector<RangeEnd<double>> corners;
  for (const auto& base : {x.lo, x.hi}) {
    for (const auto& exponent : {y.lo, y.hi}) {
      corners.push_back({std::pow(base.value, exponent.value), base.stated && exponent.stated});
    }
  }
  if (contains_zero(x)) corners.push_back({std::pow(0.0, y.lo.value), true});
  RealRange range{corners.front(), corners.front()};
  for (const auto& corner : corners) {
    if (!(std::abs(corner.value) < largest_computed_double / 2)) return std::nullopt;
    if (corner.value < range.lo.value || (corner.value == range.lo.value && corner.stated)) range.lo = corner;
    if (corner.value > range.hi.value || (corner.value == range.hi.value && corner.stated)) range.hi = corner;
  }
  const bool never_negative = range.lo.value >= 0.0;
  range.lo.value = below(range.lo.value);
  range.hi.value = above(range.hi.value);
  if (never_negative && range.lo.value < 0.0) range.lo.value = 0.0;
  // What is printed is 0 there.
  if (may_underflow(x, y) && range.lo.value > 0.0) range.lo = {0.0, true};
  if (may_underflow(x, y) && range.hi.value < 0.0) range.hi = {0.0, true};
  return range;
}

Result<ExprPtr> bind(const FunctionRule& rule, std::vector<ExprPtr> args, int position) {
  TACIT_TRY_STATUS(expect_arguments(rule, args, 2, 2, position));
  TACIT_TRY(NumberPair pair, to_numbers(std::move(args[0]), std::move(args[1]), "`power`", position));
  const ExprPtr x = as_real(pair.left);
  const ExprPtr y = as_real(pair.right);
  const bool never_negative = real_range(*x).lo.value >= 0.0;
  const RealRange guarded{{never_negative ? 0.0 : -largest_read_double, never_negative}, {largest_read_double, false}};
  return make_call(rule, {x, y}, SqlType::real(), unguarded_range(*x, *y).value_or(guarded), position);
}

// y as the factor of a logarithm.
void print_exponent(const Expr& y, ExpressionPrinter& printer) {
  if (!printer.dialect().underflow_raises()) return printer.operand(y);
  printer.text("(");
  printer.operand(y);
  printer.text(" + ");
  printer.literal(1e-200, SqlType::real());
  printer.text(")");
}

void print_power(const Expr& x, const Expr& y, ExpressionPrinter& printer) {
  printer.text("POWER(");
  printer.operand(x);
  printer.text(", ");
  printer.operand(y);
  printer.text(")");
}

// POWER(x, y) where only the result's underflow has to be guarded.
void print_without_underflow(const Expr& x, const Expr& y, ExpressionPrinter& printer) {
  const auto print_logarithm = [&](std::string_view comparison) {
    print_exponent(y, printer);
    printer.text(" * LN(ABS(");
    printer.operand(x);
    printer.text(")) ");
    printer.text(comparison);
    printer.literal(least_logarithm, SqlType::real());
  };
  printer.text("(CASE WHEN ");
  printer.operand(x);
  printer.text(" = ");
  printer.literal(0.0, SqlType::real());
  printer.text(" THEN ");
  print_power(x, y, printer);
  printer.text(" WHEN ");
  print_logarithm(">= ");
  printer.text(" THEN ");
  print_power(x, y, printer);
  printer.text(" WHEN ");
  print_logarithm("< ");
  printer.text(" THEN ");
  printer.literal(0.0, SqlType::real());
  printer.text(" END)");
}

// POWER(x, y) where y ln|x| is neither too large nor too small.
void print_bounded(const Expr& x, const Expr& y, bool is_negative, ExpressionPrinter& printer) {
  const auto print_logarithm = [&] {
    print_exponent(y, printer);
    printer.text(" * LN(");
    if (is_negative) printer.text("-");
    printer.operand(x);
    printer.text(")");
  };
  printer.text("CASE WHEN ");
  print_logarithm();
  printer.text(" < ");
  printer.literal(least_logarithm, SqlType::real());
  printer.text(" THEN ");
  printer.literal(0.0, SqlType::real());
  printer.text(" WHEN ");
  print_logarithm();
  printer.text(" <= ");
  printer.literal(largest_logarithm, SqlType::real());
  printer.text(" THEN ");
  print_power(x, y, printer);
  printer.text(" END");
}

void print_guarded_power(const Expr& x, const Expr& y, ExpressionPrinter& printer) {
  const std::string zero = print_literal(0.0, SqlType::real(), printer.dialect());
  const std::string one = print_literal(1.0, SqlType::real(), printer.dialect());
  printer.text("(CASE WHEN ");
  printer.operand(x);
  printer.text(" > " + zero + " THEN ");
  print_bounded(x, y, false, printer);
  printer.text(" WHEN ");
  printer.operand(x);
  printer.text(" = " + zero + " THEN CASE WHEN ");
  printer.operand(y);
  printer.text(" > " + zero + " THEN " + zero + " WHEN ");
  printer.operand(y);
  printer.text(" = " + zero + " THEN " + one + " END");
  if (real_range(x).lo.value < 0.0) {
    printer.text(" WHEN ");
    printer.operand(y);
    printer.text(" = FLOOR(");
    printer.operand(y);
    printer.text(") THEN ");
    print_bounded(x, y, true, printer);
  }
  printer.text(" END)");
}

void print(const Expr& call, ExpressionPrinter& printer) {
  const auto& args = std::get<Call>(call.node).args;
  if (!unguarded_range(*args[0], *args[1])) return print_guarded_power(*args[0], *args[1], printer);
  const bool bare = !printer.dialect().underflow_raises() && is_literal(*args[1]);
  if (bare || !may_underflow(real_range(*args[0]), real_range(*args[1]))) {
    return print_power(*args[0], *args[1], printer);
  }
  print_without_underflow(*args[0], *args[1], printer);
}

}  // namespace

const FunctionRule power_rule{"power", {Nulls::propagated, Meaning::other}, bind, print, Callable::by_analyst, 9};
const FunctionRule pow_rule{"pow", {Nulls::propagated, Meaning::other}, bind, print, Callable::by_analyst, 9};

}  // namespace tacit
