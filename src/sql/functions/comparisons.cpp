// = <> < <= > >=: both sides as stored, brought to one type. Exact numbers are compared exactly; NaN equals itself and
// is above every number, on both engines.
#include "sql/functions/comparisons.hpp"

#include <fmt/format.h>

#include "sql/functions/common_type.hpp"
#include "sql/functions/refusals.hpp"
#include "sql/functions/rules.hpp"
#include "sql/print_expression.hpp"

namespace tacit {

Result<std::vector<ExprPtr>> bind_sides(const FunctionRule& rule, std::vector<ExprPtr> args, int position) {
  TACIT_TRY_STATUS(expect_arguments(rule, args, 2, 2, position));
  return to_comparable(std::move(args), fmt::format("`{}`", rule.name), position);
}

void print_compared(const Expr& side, ExpressionPrinter& printer) {
  printer.expression(side);
  if (side.type.kind == TypeKind::text && printer.dialect() == Dialect::postgres) printer.text(" COLLATE \"C\"");
}

void print_sides(const Expr& call, ExpressionPrinter& printer, std::string_view between) {
  const auto& args = std::get<Call>(call.node).args;
  printer.text("(");
  print_compared(*args[0], printer);
  printer.text(" ");
  printer.text(between);
  printer.text(" ");
  print_compared(*args[1], printer);
  printer.text(")");
}

namespace {

Result<ExprPtr> bind(const FunctionRule& rule, std::vector<ExprPtr> args, int position) {
  TACIT_TRY(auto sides, bind_sides(rule, std::move(args), position));
  return make_call(rule, std::move(sides), SqlType::boolean(), {}, position);
}

void print(const Expr& call, ExpressionPrinter& printer) {
  print_sides(call, printer, std::get<Call>(call.node).rule->name);
}

}  // namespace

const FunctionRule equal_rule{"=", bind, print};
const FunctionRule not_equal_rule{"<>", bind, print};
const FunctionRule less_rule{"<", bind, print};
const FunctionRule less_equal_rule{"<=", bind, print};
const FunctionRule greater_rule{">", bind, print};
const FunctionRule greater_equal_rule{">=", bind, print};

}  // namespace tacit
