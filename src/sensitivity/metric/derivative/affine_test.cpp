#include "sensitivity/metric/derivative/affine.hpp"

#include "sensitivity/metric/derivative/derivative_fixture.hpp"

namespace tacit {
namespace {

struct Affine : DerivativeFixture {
  const ExprPtr i = whole("i", {0.0, 3.0, 1000.0});
  const ExprPtr p = cell("p", SqlType::decimal(18, 2), Use::plain, "-50", "100000", {0.0, -50.0, 100000.0, 0.01});

  void expect_value(const ExprPtr& expr, const ExprPtr& column) {
    for (int n = 0; n < 2000; ++n) {
      const Point here = random_point();
      if (!here.contains(key_of(column))) continue;
      const double x = static_cast<double>(here.at(key_of(column)));
      const auto value = monotone_value(*expr, *key_of(column), x);
      ASSERT_TRUE(value.has_value());
      const long double exact = *Interpreter(here).value(*expr);
      ASSERT_GE(std::fabs(*value), std::fabs(exact)) << sql(expr) << " at " << x;
      ASSERT_NEAR(*value, static_cast<double>(exact), 1e-9 * (1.0 + std::fabs(x))) << sql(expr) << " at " << x;
    }
  }
};

TEST_F(Affine, EvaluatesSumsProductsAndClampsOfOneColumn) {
  expect_value(i, i);
  expect_value(call("-", {number("1"), i}), i);
  expect_value(call("*", {call("+", {i, number("7")}), number("-3")}), i);
  expect_value(call("*", {call("-", {number("1"), p}), real_number(0.1)}), p);
  expect_value(*clamp_between(call("negate", {p}), number("-20"), number("5"), 1), p);
}

TEST_F(Affine, LeavesOutEverythingElse) {
  const Column& column = *key_of(i);
  const std::vector<ExprPtr> others = {call("*", {i, i}),
                                       call("+", {i, i}),
                                       call("abs", {i}),
                                       call("*", {i, p}),
                                       call("power", {i, number("2")}),
                                       call("/", {i, number("2")}),
                                       call("+", {i, open("k")}),
                                       p};
  for (const auto& other : others) {
    for (const double x : {0.0, 3.0, -1e9}) EXPECT_FALSE(monotone_value(*other, column, x).has_value()) << sql(other);
  }
}

TEST_F(Affine, OnAnIntervalTheEndsAreLargest) {
  const std::vector<ExprPtr> all = {call("-", {number("1"), p}), call("*", {call("-", {p, number("7")}), number("3")}),
                                    *clamp_between(p, number("-3"), number("40"), 1)};
  const auto size = [&](const ExprPtr& f, double x) { return std::fabs(*monotone_value(*f, *key_of(p), x)); };
  for (const auto& f : all) {
    for (int n = 0; n < 500; ++n) {
      double ends[3];
      for (double& end : ends) end = std::uniform_real_distribution<double>(-100.0, 100.0)(random);
      std::sort(std::begin(ends), std::end(ends));
      ASSERT_LE(size(f, ends[1]), std::max(size(f, ends[0]), size(f, ends[2])) * (1.0 + 1e-12) + 1e-12);
    }
  }
}

// 1e18 + 60 is no double: plain arithmetic would find x - 1e18 = 0 there.
TEST_F(Affine, IsNeverBelowTheExactMagnitudeWhereDigitsCancel) {
  const ExprPtr wide = cell("wide", SqlType::decimal(19, 0), Use::plain, {}, {}, {0.0});
  const ExprPtr f = call("-", {wide, number("1000000000000000000")});
  EXPECT_GE(std::fabs(*monotone_value(*f, *key_of(wide), 1e18 + 60.0)), 60.0);
}

}  // namespace
}  // namespace tacit
