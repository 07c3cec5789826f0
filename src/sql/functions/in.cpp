// x IN (item, ...): true when one equals, NULL when none does but x or an item is NULL, else false.
#include <limits>

#include "sql/functions/common_type.hpp"
#include "sql/functions/refusals.hpp"
#include "sql/functions/rules.hpp"
#include "sql/print_expression.hpp"

namespace tacit {
namespace {

Result<ExprPtr> bind(const FunctionRule& rule, std::vector<ExprPtr> args, int position) {
  TACIT_TRY_STATUS(expect_arguments(rule, args, 2, std::numeric_limits<std::size_t>::max(), position));
  TACIT_TRY(args, to_comparable(std::move(args), "IN", position));
  return make_call(rule, std::move(args), SqlType::boolean(), {}, position);
}

void print(const Expr& call, ExpressionPrinter& printer) {
  const auto& args = std::get<Call>(call.node).args;
  printer.text("(");
  printer.expression(*args[0]);
  printer.text(" IN (");
  for (std::size_t i = 1; i < args.size(); ++i) {
    if (i > 1) printer.text(", ");
    printer.expression(*args[i]);
  }
  printer.text("))");
}

}  // namespace

const FunctionRule in_rule{"in", {Nulls::anywhere, Meaning::listed}, bind, print};

}  // namespace tacit
