#include "sensitivity/metric/derivative/rounding_error.hpp"

#include "sensitivity/metric/derivative/derivative_fixture.hpp"

namespace tacit {
namespace {

// What an engine computes: every step rounded to a double.
double in_doubles(const Expr& expr, const Point& point) {
  if (const auto* ref = std::get_if<ColumnRef>(&expr.node)) return static_cast<double>(point.at(ref->column.get()));
  if (!std::holds_alternative<Call>(expr.node)) return static_cast<double>(*Interpreter(point).value(expr));
  const auto& call = std::get<Call>(expr.node);
  const std::string_view rule = call.rule->name;
  std::vector<double> a;
  for (const auto& arg : call.args) a.push_back(in_doubles(*arg, point));
  if (rule == "+") return a[0] + a[1];
  if (rule == "-") return a[0] - a[1];
  if (rule == "*" || rule == "product of doubles") return a[0] * a[1];
  if (rule == "/") return a[0] / a[1];
  if (rule == "ln") return std::log(a[0]);
  if (rule == "exp") return a[0] < -700.0 ? 0.0 : std::exp(a[0]);
  if (rule == "sqrt") return std::sqrt(a[0]);
  if (rule == "power") return std::pow(a[0], a[1]);
  if (rule == "negate") return -a[0];
  if (rule == "abs") return std::fabs(a[0]);
  if (rule == "least") return std::min(a[0], a[1]);
  if (rule == "to double") return a[0];
  const auto& range = std::get<RealRange>(expr.range);
  return std::clamp(a[0], range.lo.value, range.hi.value);
}

struct RoundingErrors : DerivativeFixture {
  const ExprPtr x = real("x", "-100", "40", {1.0});
  const ExprPtr y = real("y", "0.5", "1000", {0.6});

  void expect_covered(const ExprPtr& expr, double at_most) {
    const RoundingError error = rounding_error(*expr, columns);
    EXPECT_LE(error.over(expr->range), at_most) << sql(expr);
    for (int n = 0; n < 4000; ++n) {
      const Point here = random_point();
      if (here.size() < columns.size()) continue;
      const long double exact = *Interpreter(here).value(*expr);
      ASSERT_LE(std::fabs(in_doubles(*expr, here) - exact), error.absolute + error.relative * std::fabs(exact))
          << sql(expr);
    }
  }
};

TEST_F(RoundingErrors, CoverWhatDoublesLose) {
  expect_covered(call("+", {x, y}), 1e-12);
  expect_covered(call("*", {call("-", {x, y}), call("*", {x, y})}), 1e-6);
  expect_covered(call("/", {call("-", {x, y}), y}), 1e-10);
  expect_covered(call("ln", {call("*", {y, call("+", {y, y})})}), 1e-13);
  expect_covered(call("exp", {call("-", {call("least", {x, number("3")}), y})}), 1e-10);
  expect_covered(call("sqrt", {call("*", {y, y})}), 1e-10);
  expect_covered(call("power", {call("-", {x, y}), number("3")}), 1e-3);
  expect_covered(call("power", {call("*", {y, y}), number("-2")}), 1e-10);
  expect_covered(call("-", {call("+", {x, real_number(0x1p52)}), real_number(0x1p52)}), 10.0);
  expect_covered(call("abs", {call("negate", {call("-", {call("*", {x, y}), call("*", {y, x})})})}), 1e-9);
}

TEST_F(RoundingErrors, ExactAndPublicNumbersHaveNone) {
  const ExprPtr i = whole("i");
  EXPECT_EQ(rounding_error(*call("+", {i, number("1")}), columns).over(i->range), 0.0);
  EXPECT_EQ(rounding_error(*call("*", {open("k"), real_number(0.1)}), columns).over(i->range), 0.0);
  EXPECT_EQ(rounding_error(*numeric_operand(x), columns).over(x->range), 0.0);
}

TEST_F(RoundingErrors, ALittleIsLetThrough) {
  EXPECT_TRUE(rounds_little(*call("*", {call("-", {x, y}), call("ln", {y})}), columns));
  EXPECT_TRUE(rounds_little(*call("least", {call("*", {y, real_number(1.1)}), number("1")}), columns));
  EXPECT_FALSE(rounds_little(*call("-", {call("+", {x, real_number(1e14)}), real_number(1e14)}), columns));
  EXPECT_FALSE(rounds_little(*call("floor", {x}), columns));
}

}  // namespace
}  // namespace tacit
