#include "rewrite/null_witness.hpp"

#include "sql/dialects/dialects.hpp"
#include "sql/functions/expression_fixture.hpp"

namespace tacit {
namespace {

using NullWitness = ExpressionFixture;

TEST_F(NullWitness, AClampedColumnIsNullWhereTheColumnIs) {
  for (const Dialect* dialect : all_dialects()) {
    EXPECT_EQ(null_witness(numeric_operand(age), *dialect), age);
    EXPECT_EQ(null_witness(numeric_operand(price), *dialect), price);
  }
}

TEST_F(NullWitness, WhereNanBecomesNullTheClampItselfIsCounted) {
  const ExprPtr real = numeric_operand(unit);
  EXPECT_EQ(null_witness(real, postgres_dialect()), real);
  const ExprPtr from_zero = column("from_zero", SqlType::decimal(15, 2), exact("0"));
  const ExprPtr clamp = numeric_operand(from_zero);
  EXPECT_EQ(null_witness(clamp, postgres_dialect()), clamp);
  EXPECT_EQ(null_witness(clamp, duckdb_dialect()), from_zero);
}

TEST_F(NullWitness, AnythingElseStandsForItself) {
  const ExprPtr sum = call("+", {age, price});
  EXPECT_EQ(null_witness(sum, postgres_dialect()), sum);
  EXPECT_EQ(null_witness(i32, postgres_dialect()), i32);
}

}  // namespace
}  // namespace tacit
