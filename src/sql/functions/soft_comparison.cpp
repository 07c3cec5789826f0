// sigmoid(x, center, steepness), sech(x, center, steepness): see soft_comparison.hpp.
//
// What is lost. With u = 2^-53, t = steepness (x - center) is off by a share of 2u, its exponential by 2^-50 and by the
// error of t. sigmoid: |t| s(1-s) <= 0.23 and s(1-s) <= 1/4, so that this makes less than 0.5 u + 2^-52; the sum and
// the quotient 2u more: below 2^-50. sech: |t s'(t)| <= 0.6, and the share 2^-50 of both exponentials is one of the
// value: with the sum and two roundings below 2^-49. What is cut off is below e^-40 < 2^-57.
#include "sql/functions/soft_comparison.hpp"

#include <cmath>
#include <limits>

#include "base/check.hpp"
#include "sql/functions/conversions.hpp"
#include "sql/functions/rules.hpp"
#include "sql/print_expression.hpp"

namespace tacit {
namespace {

constexpr double sigmoid_reach = 40.0;  // e^-40 < 2^-57
constexpr double sech_reach = 41.0;     // 2 e^-41 < 2^-57

// PostgreSQL raises an error where a product of two numbers underflows to 0: no double is nearer to this center than
// 1e-166 without being equal to it.
constexpr double center_near_zero = 1e-150;

struct Shape {
  const Expr& x;
  double center;
  double steepness;
};

Shape shape_of(const Expr& call) {
  const auto& args = std::get<Call>(call.node).args;
  const double center = std::get<double>(literal_value(*args[1]));
  const double apart = std::fabs(center) < center_near_zero ? center_near_zero : center;
  return {*args[0], apart, std::get<double>(literal_value(*args[2]))};
}

void print_number(double value, ExpressionPrinter& printer) { printer.text(double_literal(value, printer.dialect())); }

void print_exponential(const Shape& shape, double steepness, ExpressionPrinter& printer) {
  printer.text("EXP(");
  print_number(steepness, printer);
  printer.text(" * (");
  printer.operand(shape.x);
  printer.text(" - ");
  print_number(shape.center, printer);
  printer.text("))");
}

// WHEN x <= end THEN. Whatever is stored compares, and NaN is above all numbers.
void print_until(const Shape& shape, const char* compare, double end, ExpressionPrinter& printer) {
  printer.text(" WHEN ");
  printer.expression(shape.x);
  printer.text(compare);
  printer.literal(end, SqlType::real());
  printer.text(" THEN ");
}

void print_sigmoid(const Expr& call, ExpressionPrinter& printer) {
  const Shape shape = shape_of(call);
  const double reach = sigmoid_reach / std::fabs(shape.steepness);
  const bool rises = shape.steepness > 0.0;
  printer.text("(CASE");
  print_until(shape, " < ", shape.center - reach, printer);
  print_number(rises ? 0.0 : 1.0, printer);
  print_until(shape, " <= ", shape.center + reach, printer);
  printer.text("(");
  print_number(1.0, printer);
  printer.text(" / (");
  print_number(1.0, printer);
  printer.text(" + ");
  print_exponential(shape, -shape.steepness, printer);
  printer.text("))");
  if (rises) {
    print_until(shape, " <= ", std::numeric_limits<double>::infinity(), printer);
    print_number(1.0, printer);
  }
  printer.text(" ELSE ");
  print_number(0.0, printer);
  printer.text(" END)");
}

void print_sech(const Expr& call, ExpressionPrinter& printer) {
  const Shape shape = shape_of(call);
  const double reach = sech_reach / std::fabs(shape.steepness);
  printer.text("(CASE");
  print_until(shape, " < ", shape.center - reach, printer);
  print_number(0.0, printer);
  print_until(shape, " <= ", shape.center + reach, printer);
  printer.text("(");
  print_number(2.0, printer);
  printer.text(" / (");
  print_exponential(shape, shape.steepness, printer);
  printer.text(" + ");
  print_exponential(shape, -shape.steepness, printer);
  printer.text(")) ELSE ");
  print_number(0.0, printer);
  printer.text(" END)");
}

ExprPtr soft_call(const FunctionRule& rule, ExprPtr x, double center, double steepness) {
  TACIT_CHECK(x->type.kind == TypeKind::real && std::holds_alternative<ColumnRef>(x->node),
              "a soft comparison reads a column of doubles");
  TACIT_CHECK(std::isfinite(center) && std::fabs(steepness) >= 1e-9 && std::fabs(steepness) <= 1e9,
              "a soft comparison has a finite center and a steepness between 1e-9 and 1e9");
  const int position = x->position;
  return make_call(rule,
                   {std::move(x), make_literal(center, SqlType::real(), position),
                    make_literal(steepness, SqlType::real(), position)},
                   SqlType::real(), RealRange{{0.0, true}, {1.0, true}}, position);
}

}  // namespace

const FunctionRule sigmoid_rule{"sigmoid",
                                {Nulls::never, Meaning::other, Notation{}, sigmoid_rounding},
                                nullptr,
                                print_sigmoid,
                                Callable::internally,
                                4};
const FunctionRule sech_rule{
    "sech", {Nulls::never, Meaning::other, Notation{}, sech_rounding}, nullptr, print_sech, Callable::internally, 4};

ExprPtr sigmoid_of(ExprPtr x, double center, double steepness) {
  return soft_call(sigmoid_rule, std::move(x), center, steepness);
}

ExprPtr sech_of(ExprPtr x, double center, double steepness) {
  return soft_call(sech_rule, std::move(x), center, steepness);
}

}  // namespace tacit
