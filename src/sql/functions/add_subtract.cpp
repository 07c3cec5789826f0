// a + b and a - b of numbers; dates go to date_arithmetic.cpp.
#include <fmt/format.h>

#include <algorithm>

#include "base/check.hpp"
#include "sql/functions/arithmetic.hpp"
#include "sql/functions/conversions.hpp"
#include "sql/functions/date_arithmetic.hpp"
#include "sql/functions/real_range.hpp"
#include "sql/functions/refusals.hpp"
#include "sql/functions/rules.hpp"
#include "sql/print_expression.hpp"

namespace tacit {
namespace {

Result<ExprPtr> bind_integers(const FunctionRule& rule, const NumberPair& pair, const ExactRange& range, int position) {
  const ExactRange all[] = {exact_range(*pair.left), exact_range(*pair.right), range};
  const auto type = integer_type(hull(all));
  if (!type) return refuse_overflow(fmt::format("`{}`", rule.name), std::vector{pair.left, pair.right}, position);
  return make_call(rule, {as_exact(pair.left, *type), as_exact(pair.right, *type)}, *type, range, position);
}

// The engine casts both operands to the result's type first: they have to fit it at its scale too.
Result<ExprPtr> bind_decimals(const FunctionRule& rule, NumberPair pair, const ExactRange& range, int position) {
  const auto overflow = [&] {
    return refuse_overflow(fmt::format("`{}`", rule.name), std::vector{pair.left, pair.right}, position);
  };
  const auto left = as_decimal(pair.left);
  const auto right = as_decimal(pair.right);
  if (!left || !right) return overflow();
  pair = {*left, *right};
  const int scale = std::max(pair.left->type.scale, pair.right->type.scale);
  const ExactRange all[] = {exact_range(*pair.left), exact_range(*pair.right), range};
  const int needed = digits_at_scale(hull(all), scale);
  SqlType type = engine_sum_type(pair.left->type, pair.right->type);
  if (needed > type.precision) {
    pair.left = widened(pair.left);
    type = engine_sum_type(pair.left->type, pair.right->type);
  }
  // A column of few values in a wide type next to many digits of scale: only its declared type is too wide.
  if (needed > type.precision || needed > 38) return overflow();
  return make_call(rule, {pair.left, pair.right}, type, range, position);
}

Result<ExprPtr> bind(const FunctionRule& rule, std::vector<ExprPtr> args, int position) {
  TACIT_TRY_STATUS(expect_arguments(rule, args, 2, 2, position));
  const bool is_sum = &rule == &add_rule;
  if (is_date_arithmetic(args)) return bind_date_arithmetic(std::move(args), is_sum, position);
  const std::string what = fmt::format("`{}`", rule.name);
  TACIT_TRY(NumberPair pair, to_numbers(std::move(args[0]), std::move(args[1]), what, position));
  const auto overflow = [&] { return refuse_overflow(what, std::vector{pair.left, pair.right}, position); };
  if (pair.is_real()) {
    pair = {as_real(pair.left), as_real(pair.right)};
    const RealRange& a = real_range(*pair.left);
    const RealRange& b = real_range(*pair.right);
    const auto range = is_sum ? add(a, b) : subtract(a, b);
    if (!range) return overflow();
    return make_call(rule, {pair.left, pair.right}, SqlType::real(), *range, position);
  }
  const ExactRange& a = exact_range(*pair.left);
  const ExactRange& b = exact_range(*pair.right);
  const auto range = is_sum ? add(a, b) : subtract(a, b);
  if (!range) return overflow();
  const bool are_integers = pair.left->type.kind == TypeKind::integer && pair.right->type.kind == TypeKind::integer;
  return are_integers ? bind_integers(rule, pair, *range, position) : bind_decimals(rule, pair, *range, position);
}

void print(const Expr& call, ExpressionPrinter& printer) {
  const auto& node = std::get<Call>(call.node);
  printer.text("(");
  printer.operand(*node.args[0]);
  printer.text(node.rule == &add_rule ? " + " : " - ");
  printer.operand(*node.args[1]);
  printer.text(")");
}

}  // namespace

const FunctionRule add_rule{"+", {Nulls::strict, Meaning::sum, infix("+")}, bind, print};
const FunctionRule subtract_rule{"-", {Nulls::strict, Meaning::difference, infix("-")}, bind, print};

}  // namespace tacit
