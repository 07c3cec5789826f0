// COALESCE(x, ...): the first that is not NULL.
#include <limits>

#include "sql/coerce.hpp"
#include "sql/functions/branches.hpp"
#include "sql/functions/refusals.hpp"
#include "sql/functions/rules.hpp"
#include "sql/print_expression.hpp"

namespace tacit {
namespace {

Result<ExprPtr> bind(const FunctionRule& rule, std::vector<ExprPtr> args, int position) {
  TACIT_TRY_STATUS(expect_arguments(rule, args, 1, std::numeric_limits<std::size_t>::max(), position));
  TACIT_TRY(args, bind_branches(std::move(args), "COALESCE", position));
  // What follows a value that is never NULL is never reached.
  std::size_t reached = 1;
  while (reached < args.size() && !never_null(*args[reached - 1])) ++reached;
  args.resize(reached);
  const Range range = hull_of_branches(args);
  const SqlType type = args.front()->type;
  return make_call(rule, std::move(args), type, range, position);
}

void print(const Expr& call, ExpressionPrinter& printer) {
  const auto& args = std::get<Call>(call.node).args;
  printer.text("COALESCE(");
  for (std::size_t i = 0; i < args.size(); ++i) {
    if (i > 0) printer.text(", ");
    printer.operand(*args[i]);
  }
  printer.text(")");
}

}  // namespace

const FunctionRule coalesce_rule{"coalesce",
                                 {Nulls::all_arguments, Meaning::first_not_null},
                                 bind,
                                 print,
                                 Callable::by_analyst,
                                 1,
                                 TextLength::of_an_argument};

}  // namespace tacit
