#include "rewrite/null_witness.hpp"

#include "sql/functions/expression_fixture.hpp"

namespace tacit {
namespace {

using NullWitness = ExpressionFixture;

TEST_F(NullWitness, AClampedColumnIsNullWhereTheColumnIs) {
  for (const Dialect dialect : {Dialect::duckdb, Dialect::postgres}) {
    EXPECT_EQ(null_witness(numeric_operand(age), dialect), age);
    EXPECT_EQ(null_witness(numeric_operand(price), dialect), price);
  }
}

TEST_F(NullWitness, WhereNanBecomesNullTheClampItselfIsCounted) {
  const ExprPtr real = numeric_operand(unit);
  EXPECT_EQ(null_witness(real, Dialect::postgres), real);
  const ExprPtr from_zero = column("from_zero", SqlType::decimal(15, 2), exact("0"));
  const ExprPtr clamp = numeric_operand(from_zero);
  EXPECT_EQ(null_witness(clamp, Dialect::postgres), clamp);
  EXPECT_EQ(null_witness(clamp, Dialect::duckdb), from_zero);
}

TEST_F(NullWitness, AnythingElseStandsForItself) {
  const ExprPtr sum = call("+", {age, price});
  EXPECT_EQ(null_witness(sum, Dialect::postgres), sum);
  EXPECT_EQ(null_witness(i32, Dialect::postgres), i32);
}

}  // namespace
}  // namespace tacit
