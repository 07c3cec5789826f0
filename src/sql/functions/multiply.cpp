// a * b. Integers and decimals exactly: the scales add, the digits follow from the ranges. Doubles that may underflow
// go to real_product.cpp.
#include "sql/functions/arithmetic.hpp"
#include "sql/functions/conversions.hpp"
#include "sql/functions/real_product.hpp"
#include "sql/functions/real_range.hpp"
#include "sql/functions/refusals.hpp"
#include "sql/functions/rules.hpp"
#include "sql/print_expression.hpp"

namespace tacit {
namespace {

tl::unexpected<Failure> overflow(const NumberPair& pair, int position) {
  return refuse_overflow("`*`", std::vector{pair.left, pair.right}, position);
}

Result<ExprPtr> bind_integers(const FunctionRule& rule, const NumberPair& pair, const ExactRange& range, int position) {
  const ExactRange all[] = {exact_range(*pair.left), exact_range(*pair.right), range};
  const auto type = integer_type(hull(all));
  if (!type) return overflow(pair, position);
  return make_call(rule, {as_exact(pair.left, *type), as_exact(pair.right, *type)}, *type, range, position);
}

Result<ExprPtr> bind_decimals(const FunctionRule& rule, NumberPair pair, const ExactRange& range, int position) {
  const auto left = as_decimal(pair.left);
  const auto right = as_decimal(pair.right);
  if (!left || !right) return overflow(pair, position);
  pair = {*left, *right};
  const int scale = pair.left->type.scale + pair.right->type.scale;
  if (scale > 38) {
    return refuse("`*` would need more than 38 digits after the point", "CAST a factor to fewer digits", position);
  }
  const int needed = digits_at_scale(range, scale);
  SqlType type = engine_product_type(pair.left->type, pair.right->type);
  if (needed > type.precision) {
    pair.left = widened(pair.left);
    type = engine_product_type(pair.left->type, pair.right->type);
  }
  if (needed > type.precision) return overflow(pair, position);
  return make_call(rule, {pair.left, pair.right}, type, range, position);
}

Result<ExprPtr> bind(const FunctionRule& rule, std::vector<ExprPtr> args, int position) {
  TACIT_TRY_STATUS(expect_arguments(rule, args, 2, 2, position));
  TACIT_TRY(NumberPair pair, to_numbers(std::move(args[0]), std::move(args[1]), "`*`", position));
  if (pair.is_real()) {
    pair = {as_real(pair.left), as_real(pair.right)};
    auto range = multiply(real_range(*pair.left), real_range(*pair.right));
    if (!range) return overflow(pair, position);
    if (!may_underflow(*pair.left, *pair.right)) {
      return make_call(rule, {pair.left, pair.right}, SqlType::real(), *range, position);
    }
    // What is printed for PostgreSQL is 0 there.
    if (range->lo.value > 0.0) range->lo = {0.0, true};
    if (range->hi.value < 0.0) range->hi = {0.0, true};
    return make_call(real_product_rule, {pair.left, pair.right}, SqlType::real(), *range, position);
  }
  const auto range = multiply(exact_range(*pair.left), exact_range(*pair.right));
  if (!range) return overflow(pair, position);
  const bool are_integers = pair.left->type.kind == TypeKind::integer && pair.right->type.kind == TypeKind::integer;
  return are_integers ? bind_integers(rule, pair, *range, position) : bind_decimals(rule, pair, *range, position);
}

void print(const Expr& call, ExpressionPrinter& printer) {
  const auto& args = std::get<Call>(call.node).args;
  printer.text("(");
  printer.operand(*args[0]);
  printer.text(" * ");
  printer.operand(*args[1]);
  printer.text(")");
}

}  // namespace

const FunctionRule multiply_rule{"*", {Nulls::strict, Meaning::product, infix("*")}, bind, print};

}  // namespace tacit
