// x * y of doubles. The range proves that it does not overflow; that it may underflow, the dialect sees to.
#include "sql/functions/real_product.hpp"

#include "sql/functions/conversions.hpp"
#include "sql/functions/rules.hpp"
#include "sql/print_expression.hpp"

namespace tacit {
namespace {

double least_magnitude(const RealRange& range) {
  return range.lo.value > 0.0 ? range.lo.value : range.hi.value < 0.0 ? -range.hi.value : 0.0;
}

bool is_zero(const Expr& factor) { return real_range(factor).lo.value == 0.0 && real_range(factor).hi.value == 0.0; }

void print(const Expr& call, ExpressionPrinter& printer) {
  const auto& args = std::get<Call>(call.node).args;
  printer.dialect().print_real_product(*args[0], *args[1], printer);
}

}  // namespace

bool may_underflow(const Expr& x, const Expr& y) {
  if (is_null_literal(x) || is_null_literal(y) || is_zero(x) || is_zero(y)) return false;
  const double least_x = least_magnitude(real_range(x));
  const double least_y = least_magnitude(real_range(y));
  return least_x < 1.0 && least_y < 1.0 && least_x * least_y < 1e-300;
}

const FunctionRule real_product_rule{
    "product of doubles", {Nulls::strict, Meaning::product, infix("*")}, nullptr, print, Callable::internally, 3};

}  // namespace tacit
