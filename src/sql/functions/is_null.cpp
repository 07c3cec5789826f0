// IS [NOT] NULL of anything; IS [NOT] UNKNOWN is the same of a condition.
#include "sql/coerce.hpp"
#include "sql/functions/refusals.hpp"
#include "sql/functions/rules.hpp"
#include "sql/print_expression.hpp"

namespace tacit {
namespace {

Result<ExprPtr> bind_null(const FunctionRule& rule, std::vector<ExprPtr> args, int position) {
  TACIT_TRY_STATUS(expect_arguments(rule, args, 1, 1, position));
  TACIT_TRY(args[0], resolve_unknown(std::move(args[0])));
  return make_call(rule, std::move(args), SqlType::boolean(), {}, position);
}

Result<ExprPtr> bind_unknown(const FunctionRule& rule, std::vector<ExprPtr> args, int position) {
  TACIT_TRY_STATUS(expect_arguments(rule, args, 1, 1, position));
  TACIT_TRY(args[0], require_boolean(std::move(args[0]), "IS UNKNOWN"));
  const FunctionRule& same = &rule == &is_unknown_rule ? is_null_rule : is_not_null_rule;
  return make_call(same, std::move(args), SqlType::boolean(), {}, position);
}

void print(const Expr& call, ExpressionPrinter& printer) {
  const auto& node = std::get<Call>(call.node);
  printer.text("(");
  printer.expression(*node.args[0]);
  printer.text(node.rule == &is_null_rule ? " IS NULL)" : " IS NOT NULL)");
}

}  // namespace

const FunctionRule is_null_rule{"is null", {Nulls::never, Meaning::is_null}, bind_null, print};
const FunctionRule is_not_null_rule{"is not null", {Nulls::never, Meaning::is_not_null}, bind_null, print};
const FunctionRule is_unknown_rule{"is unknown", never_called, bind_unknown};
const FunctionRule is_not_unknown_rule{"is not unknown", never_called, bind_unknown};

}  // namespace tacit
