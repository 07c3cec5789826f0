// |x|, in x's own type; the smallest integer is widened first.
#include "sql/functions/arithmetic.hpp"
#include "sql/functions/call_printing.hpp"
#include "sql/functions/conversions.hpp"
#include "sql/functions/real_range.hpp"
#include "sql/functions/refusals.hpp"
#include "sql/functions/rules.hpp"

namespace tacit {
namespace {

Result<ExprPtr> bind(const FunctionRule& rule, std::vector<ExprPtr> args, int position) {
  TACIT_TRY_STATUS(expect_arguments(rule, args, 1, 1, position));
  TACIT_TRY(ExprPtr number, to_number(std::move(args[0]), "`abs`", position));
  if (number->type.kind == TypeKind::real) {
    const RealRange range = absolute(real_range(*number));
    return make_call(rule, {std::move(number)}, SqlType::real(), range, position);
  }
  const auto range = absolute(exact_range(*number));
  if (!range) return refuse_overflow("`abs`", std::vector<ExprPtr>{number}, position);
  return call_same_type(rule, std::move(number), *range, position);
}

void print(const Expr& call, ExpressionPrinter& printer) { print_function("ABS", call, printer); }

}  // namespace

const FunctionRule abs_rule{"abs", {Nulls::strict, Meaning::other}, bind, print, Callable::by_analyst};

}  // namespace tacit
