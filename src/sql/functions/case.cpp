// CASE WHEN condition THEN value ... [ELSE value] END, as arguments (condition, value, ..., [else]).
#include <limits>

#include "sql/coerce.hpp"
#include "sql/functions/branches.hpp"
#include "sql/functions/refusals.hpp"
#include "sql/functions/rules.hpp"
#include "sql/print_expression.hpp"

namespace tacit {
namespace {

Result<ExprPtr> bind(const FunctionRule& rule, std::vector<ExprPtr> args, int position) {
  TACIT_TRY_STATUS(expect_arguments(rule, args, 2, std::numeric_limits<std::size_t>::max(), position));
  const std::size_t arms = args.size() / 2;
  const bool has_else = args.size() % 2 == 1;
  std::vector<ExprPtr> values;
  for (std::size_t arm = 0; arm < arms; ++arm) {
    TACIT_TRY(args[2 * arm], require_boolean(std::move(args[2 * arm]), "WHEN"));
    values.push_back(args[2 * arm + 1]);
  }
  if (has_else) values.push_back(args.back());
  TACIT_TRY(values, bind_branches(std::move(values), "CASE", position));
  const Range range = hull_of_branches(values);
  const SqlType type = values.front()->type;
  for (std::size_t arm = 0; arm < arms; ++arm) args[2 * arm + 1] = values[arm];
  if (has_else) args.back() = values.back();
  return make_call(rule, std::move(args), type, range, position);
}

void print(const Expr& call, ExpressionPrinter& printer) {
  const auto& args = std::get<Call>(call.node).args;
  printer.text("(CASE");
  for (std::size_t i = 0; i + 1 < args.size(); i += 2) {
    printer.text(" WHEN ");
    printer.expression(*args[i]);
    printer.text(" THEN ");
    printer.operand(*args[i + 1]);
  }
  if (args.size() % 2 == 1) {
    printer.text(" ELSE ");
    printer.operand(*args.back());
  }
  printer.text(" END)");
}

}  // namespace

const FunctionRule case_rule{"case", {Nulls::of_branch, Meaning::choice}, bind, print, Callable::internally,
                             1,      TextLength::of_an_argument};

}  // namespace tacit
