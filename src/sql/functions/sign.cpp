// sign(x): -1, 0 or 1 as an integer.
#include "sql/functions/common_type.hpp"
#include "sql/functions/conversions.hpp"
#include "sql/functions/refusals.hpp"
#include "sql/functions/rules.hpp"
#include "sql/print_expression.hpp"

namespace tacit {
namespace {

Result<ExprPtr> bind(const FunctionRule& rule, std::vector<ExprPtr> args, int position) {
  TACIT_TRY_STATUS(expect_arguments(rule, args, 1, 1, position));
  TACIT_TRY(ExprPtr number, to_number(std::move(args[0]), "`sign`", position));
  const ExactRange range{{{-1, 0}, true}, {{1, 0}, true}};
  return make_call(rule, {std::move(number)}, SqlType::integer(32), range, position);
}

void print(const Expr& call, ExpressionPrinter& printer) {
  printer.text("CAST(SIGN(");
  printer.operand(*std::get<Call>(call.node).args[0]);
  printer.text(") AS INTEGER)");
}

}  // namespace

const FunctionRule sign_rule{"sign", {Nulls::propagated, Meaning::other}, bind, print, Callable::by_analyst};

}  // namespace tacit
