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

// a / b where both are in their ranges. Where it is an error that a quotient underflows to zero,
//
//   CASE WHEN LEAST(|a|, 1) * 2^537 >= GREATEST(|b|, 1) * 2^-537 THEN a / b ELSE b * 0 END
//
// is a / b, up to quotients below 2^-1074, which are 0: with |a| < 1 < |b| both sides are exact and the condition says
// |a / b| >= 2^-1074; otherwise the quotient is at least |a| or at least 1e-300, and the condition fails for a = 0
// alone. Where a is NULL the condition holds; where b is NULL both branches are NULL.
void print_quotient(const Expr& a, const Expr& b, ExpressionPrinter& printer) {
  const auto plain = [&] {
    printer.operand(a);
    printer.text(" / ");
    printer.operand(b);
  };
  const RealRange& range = real_range(b);
  const bool may_underflow = range.lo.value < -1.0 || range.hi.value > 1.0;
  if (!printer.dialect().underflow_raises() || !may_underflow) return plain();
  printer.text("CASE WHEN LEAST(ABS(");
  printer.operand(a);
  printer.text("), ");
  printer.literal(1.0, SqlType::real());
  printer.text(") * ");
  printer.literal(0x1p537, SqlType::real());
  printer.text(" >= GREATEST(ABS(");
  printer.operand(b);
  printer.text("), ");
  printer.literal(1.0, SqlType::real());
  printer.text(") * ");
  printer.literal(0x1p-537, SqlType::real());
  printer.text(" THEN ");
  plain();
  printer.text(" ELSE ");
  printer.operand(b);
  printer.text(" * ");
  printer.literal(0.0, SqlType::real());
  printer.text(" END");
}

// |a| * 1e-100 <= |b| says |a / b| <= 1e100 without overflowing itself. Below |a| = 1e-200 it would say no more than
// |b| >= 1e-300 does; where the product may not underflow, such an a is read as 1e-200.
void print(const Expr& call, ExpressionPrinter& printer) {
  const auto& args = std::get<Call>(call.node).args;
  const bool lifts = printer.dialect().underflow_raises();
  if (unguarded_quotient(real_range(*args[0]), real_range(*args[1]))) {
    printer.text("(");
    print_quotient(*args[0], *args[1], printer);
    printer.text(")");
    return;
  }
  printer.text("(CASE WHEN ABS(");
  printer.operand(*args[1]);
  printer.text(") >= ");
  printer.literal(1e-300, SqlType::real());
  printer.text(lifts ? " AND GREATEST(ABS(" : " AND ABS(");
  printer.operand(*args[0]);
  printer.text(")");
  if (lifts) {
    printer.text(", ");
    printer.literal(1e-200, SqlType::real());
    printer.text(")");
  }
  printer.text(" * ");
  printer.literal(1e-100, SqlType::real());
  printer.text(" <= ABS(");
  printer.operand(*args[1]);
  printer.text(") THEN ");
  print_quotient(*args[0], *args[1], printer);
  printer.text(" END)");
}

}  // namespace

const FunctionRule divide_rule{"/", {Nulls::propagated, Meaning::other, infix("/")}, bind, print, Callable::internally,
                               4};

}  // namespace tacit
