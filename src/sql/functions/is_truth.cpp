// IS [NOT] TRUE, IS [NOT] FALSE: two-valued, NULL is neither true nor false.
#include "sql/coerce.hpp"
#include "sql/functions/refusals.hpp"
#include "sql/functions/rules.hpp"
#include "sql/print_expression.hpp"

namespace tacit {
namespace {

Result<ExprPtr> bind(const FunctionRule& rule, std::vector<ExprPtr> args, int position) {
  TACIT_TRY_STATUS(expect_arguments(rule, args, 1, 1, position));
  TACIT_TRY(args[0], require_boolean(std::move(args[0]), "IS TRUE"));
  return make_call(rule, std::move(args), SqlType::boolean(), {}, position);
}

void print(const Expr& call, ExpressionPrinter& printer) {
  const auto& node = std::get<Call>(call.node);
  const bool negated = node.rule == &is_not_true_rule || node.rule == &is_not_false_rule;
  const bool truth = node.rule == &is_true_rule || node.rule == &is_not_true_rule;
  printer.text("(");
  printer.expression(*node.args[0]);
  printer.text(negated ? " IS DISTINCT FROM " : " IS NOT DISTINCT FROM ");
  printer.text(truth ? "TRUE)" : "FALSE)");
}

}  // namespace

const FunctionRule is_true_rule{"is true", {Nulls::never, Meaning::other}, bind, print};
const FunctionRule is_not_true_rule{"is not true", {Nulls::never, Meaning::other}, bind, print};
const FunctionRule is_false_rule{"is false", {Nulls::never, Meaning::other}, bind, print};
const FunctionRule is_not_false_rule{"is not false", {Nulls::never, Meaning::other}, bind, print};

}  // namespace tacit
