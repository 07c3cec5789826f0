// floor(x), ceil(x): whole numbers of x's kind. Integers are their own.
#include <algorithm>
#include <cmath>

#include "sql/functions/call_printing.hpp"
#include "sql/functions/common_type.hpp"
#include "sql/functions/conversions.hpp"
#include "sql/functions/exact_range.hpp"
#include "sql/functions/refusals.hpp"
#include "sql/functions/rules.hpp"

namespace tacit {
namespace {

bool is_floor(const FunctionRule& rule) { return &rule == &floor_rule; }

Result<ExprPtr> bind(const FunctionRule& rule, std::vector<ExprPtr> args, int position) {
  TACIT_TRY_STATUS(expect_arguments(rule, args, 1, 1, position));
  TACIT_TRY(ExprPtr number, to_number(std::move(args[0]), is_floor(rule) ? "`floor`" : "`ceil`", position));
  if (number->type.kind == TypeKind::integer || (number->type.kind == TypeKind::decimal && number->type.scale == 0)) {
    return number;
  }
  if (number->type.kind == TypeKind::real) {
    RealRange range = real_range(*number);
    range.lo.value = is_floor(rule) ? std::floor(range.lo.value) : std::ceil(range.lo.value);
    range.hi.value = is_floor(rule) ? std::floor(range.hi.value) : std::ceil(range.hi.value);
    return make_call(rule, {std::move(number)}, SqlType::real(), range, position);
  }
  const auto range = is_floor(rule) ? round_down(exact_range(*number), 0) : round_up(exact_range(*number), 0);
  if (!range) return refuse_overflow(rule.name, std::vector<ExprPtr>{number}, position);
  // The engine keeps the width, which always suffices: a digit is lost behind the point when one is won before it.
  const SqlType type = SqlType::decimal(number->type.precision, 0);
  return make_call(rule, {std::move(number)}, type, *range, position);
}

void print(const Expr& call, ExpressionPrinter& printer) {
  print_function(is_floor(*std::get<Call>(call.node).rule) ? "FLOOR" : "CEIL", call, printer);
}

}  // namespace

const FunctionRule floor_rule{"floor", {Nulls::propagated, Meaning::other}, bind, print, Callable::by_analyst};
const FunctionRule ceil_rule{"ceil", {Nulls::propagated, Meaning::other}, bind, print, Callable::by_analyst};
const FunctionRule ceiling_rule{"ceiling", {Nulls::propagated, Meaning::other}, bind, print, Callable::by_analyst};

}  // namespace tacit
