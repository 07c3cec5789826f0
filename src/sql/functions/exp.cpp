// exp(x) as a double; NULL for x > 690, where PostgreSQL comes near its overflow error, and 0 for x < -700, where it
// comes near its underflow error: e^-700 is still a normal double.
#include <algorithm>
#include <cmath>

#include "sql/functions/common_type.hpp"
#include "sql/functions/conversions.hpp"
#include "sql/functions/guarded_call.hpp"
#include "sql/functions/real_range.hpp"
#include "sql/functions/refusals.hpp"
#include "sql/functions/rules.hpp"

namespace tacit {
namespace {

constexpr double largest_exponent = 690.0;  // e^690 < 1e300
constexpr double least_exponent = -700.0;

Result<ExprPtr> bind(const FunctionRule& rule, std::vector<ExprPtr> args, int position) {
  TACIT_TRY_STATUS(expect_arguments(rule, args, 1, 1, position));
  TACIT_TRY(ExprPtr number, to_number(std::move(args[0]), "`exp`", position));
  number = as_real(std::move(number));
  RealRange domain = real_range(*number);
  if (domain.hi.value > largest_exponent) domain.hi = {largest_exponent, false};
  if (domain.lo.value > largest_exponent) domain.lo = {largest_exponent, false};
  RealRange range = map_ends_outward(domain, [](double x) { return std::exp(x); });
  // Of the function itself; and what is printed is 0 below least_exponent.
  if (range.lo.value <= 0.0 || domain.lo.value < least_exponent) range.lo = {0.0, true};
  return make_call(rule, {std::move(number)}, SqlType::real(), range, position);
}

void print(const Expr& call, ExpressionPrinter& printer) {
  const Expr& x = *std::get<Call>(call.node).args[0];
  const Guard guard = real_range(x).hi.value > largest_exponent ? Guard::at_most_690 : Guard::none;
  if (real_range(x).lo.value < least_exponent) {
    printer.text("(CASE WHEN ");
    printer.operand(x);
    printer.text(" < ");
    printer.literal(least_exponent, SqlType::real());
    printer.text(" THEN ");
    printer.literal(0.0, SqlType::real());
    printer.text(" ELSE ");
    print_guarded("EXP", x, guard, printer);
    printer.text(" END)");
    return;
  }
  print_guarded("EXP", x, guard, printer);
}

}  // namespace

const FunctionRule exp_rule{"exp", {Nulls::propagated, Meaning::other}, bind, print, Callable::by_analyst, 3};

}  // namespace tacit
