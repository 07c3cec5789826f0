// a / b. Division by zero is NULL.
//   integers:  cut toward zero (integer_quotient.cpp)
//   decimals:  exact, rounded half away from zero to max(scale a, scale b, 6) digits (decimal_quotient.cpp)
//   doubles:   NULL where |b| < 1e-300 or |a / b| > 1e100, unless the range of b excludes zero
#include "sql/functions/conversions.hpp"
#include "sql/functions/quotients.hpp"
#include "sql/functions/real_range.hpp"
#include "sql/functions/refusals.hpp"
#include "sql/functions/rules.hpp"
#include "sql/print_expression.hpp"

namespace tacit {
namespace {

bool excludes_zero(const RealRange& range) { return range.lo.value > 0.0 || range.hi.value < 0.0; }

// Empty: a guard is needed.
std::optional<RealRange> unguarded_quotient(const RealRange& a, const RealRange& b) {
  return excludes_zero(b) ? divide(a, b) : std::nullopt;
}

Result<ExprPtr> bind(const FunctionRule& rule, std::vector<ExprPtr> args, int position) {
  TACIT_TRY_STATUS(expect_arguments(rule, args, 2, 2, position));
  TACIT_TRY(NumberPair pair, to_numbers(std::move(args[0]), std::move(args[1]), "`/`", position));
  if (pair.left->type.kind == TypeKind::integer && pair.right->type.kind == TypeKind::integer) {
    return bind_integer_quotient(pair, position);
  }
  if (!pair.is_real()) return bind_decimal_quotient(pair, position);
  pair = {as_real(pair.left), as_real(pair.right)};
  // The guard's own rounding may let a quotient through that is a few ulp above 1e100.
  const double most = above(largest_read_double);
  const auto range = unguarded_quotient(real_range(*pair.left), real_range(*pair.right));
  return make_call(rule, {pair.left, pair.right}, SqlType::real(),
                   range.value_or(RealRange{{-most, false}, {most, false}}), position);
}

// |a| * 1e-100 <= |b| says |a / b| <= 1e100 without overflowing itself. When the product underflows, |a| < 1e-200, and
// |b| >= 1e-300 bounds the quotient.
void print(const Expr& call, ExpressionPrinter& printer) {
  const auto& args = std::get<Call>(call.node).args;
  if (unguarded_quotient(real_range(*args[0]), real_range(*args[1]))) {
    printer.text("(");
    printer.operand(*args[0]);
    printer.text(" / ");
    printer.operand(*args[1]);
    printer.text(")");
    return;
  }
  printer.text("(CASE WHEN ABS(");
  printer.operand(*args[1]);
  printer.text(") >= ");
  printer.literal(1e-300, SqlType::real());
  printer.text(" AND ABS(");
  printer.operand(*args[0]);
  printer.text(") * ");
  printer.literal(1e-100, SqlType::real());
  printer.text(" <= ABS(");
  printer.operand(*args[1]);
  printer.text(") THEN ");
  printer.operand(*args[0]);
  printer.text(" / ");
  printer.operand(*args[1]);
  printer.text(" END)");
}

}  // namespace

const FunctionRule divide_rule{"/", bind, print, Callable::internally, 3};

}  // namespace tacit
