#include "sensitivity/metric/derivative/derivative_fixture.hpp"

namespace tacit {
namespace {

struct ColumnRule : DerivativeFixture {};

TEST_F(ColumnRule, BoundsPlainColumns) {
  expect_sound(whole("i", {0.0, 2147483647.0, -2147483648.0}));
  expect_sound(numeric_operand(real("x", "-100", "40")));
  expect_sound(numeric_operand(cell("p", SqlType::decimal(15, 2), Use::plain, "-1", "7.5", {0.0, 7.5, -1.0})));
  expect_sound(cell("q", SqlType::decimal(15, 2), Use::plain, {}, {}, {0.0, 1e9}));
}

TEST_F(ColumnRule, BoundsColumnsMeasuredByTheirLogarithm) {
  expect_sound(
      numeric_operand(cell("size", SqlType::real(), Use::logarithm, "0.5", "200", {0.5, 200.0, 1.0, 300.0}, 100.0)));
}

TEST_F(ColumnRule, BoundsDiscreteColumnsWithTheirNulls) {
  expect_sound(numeric_operand(cell("kind", SqlType::integer(32), Use::discrete, "40", "50", {40.0, 50.0})));
  expect_sound(numeric_operand(cell("sign", SqlType::integer(32), Use::discrete, "-3", "5", {-3.0, 5.0, 0.0})));
  expect_sound(numeric_operand(cell("debt", SqlType::integer(32), Use::discrete, "-9", "-5", {-9.0, -5.0})));
}

TEST_F(ColumnRule, RefusesLogarithmsWithoutBounds) {
  const ExprPtr size = cell("size", SqlType::integer(32), Use::logarithm, {}, {}, {1.0});
  const ExprPtr zero = cell("zero", SqlType::integer(32), Use::logarithm, "0", "9", {1.0});
  const ExprPtr half = cell("half", SqlType::integer(32), Use::logarithm, "1", {}, {1.0});
  for (const auto& column : {size, zero, half}) {
    EXPECT_NE(refused(numeric_operand(column)).find("is measured by its logarithm"), std::string::npos);
  }
}

TEST_F(ColumnRule, RefusesDiscreteNumbersWithoutBounds) {
  EXPECT_NE(refused(cell("kind", SqlType::integer(32), Use::discrete, {}, {}, {1.0})), "accepted");
  EXPECT_NE(refused(numeric_operand(cell("low", SqlType::integer(32), Use::discrete, "1", {}, {1.0}))), "accepted");
}

// Beyond 1e100 a double is read as NULL, and NaN is one.
TEST_F(ColumnRule, RefusesDoublesWithoutBounds) {
  const ExprPtr x = cell("x", SqlType::real(), Use::plain, {}, {}, {1.0});
  EXPECT_NE(refused(x), "accepted");
  EXPECT_NE(refused(numeric_operand(x)), "accepted");
}

}  // namespace
}  // namespace tacit
