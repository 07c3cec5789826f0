// = <> < <= > >=: both sides as stored, brought to one type. Exact numbers are compared exactly; NaN equals itself and
// is above every number, on both engines. Text is ordered by its bytes: PostgreSQL needs COLLATE "C" for that. Equality
// needs none, and so can use an index: a catalog reads columns of a collation that equates different bytes as COLLATE
// "C" (CatalogColumn::read_as).
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

void print_sides(const Expr& call, ExpressionPrinter& printer, std::string_view between) {
  const auto& args = std::get<Call>(call.node).args;
  printer.text("(");
  printer.expression(*args[0]);
  printer.text(" ");
  printer.text(between);
  printer.text(" ");
  printer.expression(*args[1]);
  printer.text(")");
}

namespace {

Result<ExprPtr> bind(const FunctionRule& rule, std::vector<ExprPtr> args, int position) {
  TACIT_TRY(auto sides, bind_sides(rule, std::move(args), position));
  return make_call(rule, std::move(sides), SqlType::boolean(), {}, position);
}

void print_equality(const Expr& call, ExpressionPrinter& printer) {
  print_sides(call, printer, std::get<Call>(call.node).rule->name);
}

void print_order(const Expr& call, ExpressionPrinter& printer) {
  const auto& node = std::get<Call>(call.node);
  const std::string_view byte_order = printer.dialect().byte_order_of(node.args[0]->type);
  printer.text("(");
  printer.expression(*node.args[0]);
  printer.text(byte_order);
  printer.text(" ");
  printer.text(node.rule->name);
  printer.text(" ");
  printer.expression(*node.args[1]);
  printer.text(byte_order);
  printer.text(")");
}

}  // namespace

const FunctionRule equal_rule{"=", {Nulls::strict, Meaning::equal, infix("=")}, bind, print_equality};
const FunctionRule not_equal_rule{"<>", {Nulls::strict, Meaning::different, infix("<>")}, bind, print_equality};
const FunctionRule less_rule{"<", {Nulls::strict, Meaning::less, infix("<")}, bind, print_order};
const FunctionRule less_equal_rule{"<=", {Nulls::strict, Meaning::at_most, infix("<=")}, bind, print_order};
const FunctionRule greater_rule{">", {Nulls::strict, Meaning::greater, infix(">")}, bind, print_order};
const FunctionRule greater_equal_rule{">=", {Nulls::strict, Meaning::at_least, infix(">=")}, bind, print_order};

}  // namespace tacit
