// AND, OR, NOT: three-valued, as SQL.
#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "sql/coerce.hpp"
#include "sql/functions/refusals.hpp"
#include "sql/functions/rules.hpp"
#include "sql/print_expression.hpp"

namespace tacit {
namespace {

Result<ExprPtr> bind_logic(const FunctionRule& rule, std::vector<ExprPtr> args, int position) {
  const bool is_not = &rule == &not_rule;
  TACIT_TRY_STATUS(expect_arguments(rule, args, 1, is_not ? 1 : std::numeric_limits<std::size_t>::max(), position));
  for (ExprPtr& arg : args) {
    TACIT_TRY(arg, require_boolean(std::move(arg), is_not ? "NOT" : &rule == &and_rule ? "AND" : "OR"));
  }
  if (!is_not && args.size() == 1) return args.front();
  return make_call(rule, std::move(args), SqlType::boolean(), {}, position);
}

void print_list(const Expr& call, ExpressionPrinter& printer, std::string_view between) {
  printer.text("(");
  bool first = true;
  for (const ExprPtr& arg : std::get<Call>(call.node).args) {
    if (!first) printer.text(between);
    first = false;
    printer.expression(*arg);
  }
  printer.text(")");
}

void print_and(const Expr& call, ExpressionPrinter& printer) { print_list(call, printer, " AND "); }
void print_or(const Expr& call, ExpressionPrinter& printer) { print_list(call, printer, " OR "); }
void print_not(const Expr& call, ExpressionPrinter& printer) {
  printer.text("(NOT ");
  printer.expression(*std::get<Call>(call.node).args[0]);
  printer.text(")");
}

}  // namespace

const FunctionRule and_rule{"and", {Nulls::anywhere, Meaning::conjunction, infix("and")}, bind_logic, print_and};
const FunctionRule or_rule{"or", {Nulls::anywhere, Meaning::disjunction, infix("or")}, bind_logic, print_or};
const FunctionRule not_rule{"not", {Nulls::strict, Meaning::negation}, bind_logic, print_not};

}  // namespace tacit
