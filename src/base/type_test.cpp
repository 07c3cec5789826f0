#include "base/type.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "base/units.hpp"

namespace tacit {
namespace {

TEST(SqlType, NamesAsAnAnswerSpellsThem) {
  EXPECT_EQ(to_string(SqlType::boolean()), "boolean");
  EXPECT_EQ(to_string(SqlType::integer(8)), "smallint");
  EXPECT_EQ(to_string(SqlType::integer(16)), "smallint");
  EXPECT_EQ(to_string(SqlType::integer(32)), "integer");
  EXPECT_EQ(to_string(SqlType::integer()), "bigint");
  EXPECT_EQ(to_string(SqlType::integer(128)), "hugeint");
  EXPECT_EQ(to_string(SqlType::decimal(12, 2)), "decimal(12,2)");
  EXPECT_EQ(to_string(SqlType::real()), "double");
  EXPECT_EQ(to_string(SqlType::text()), "text");
  EXPECT_EQ(to_string(SqlType::date()), "date");
  EXPECT_EQ(to_string(SqlType::timestamp()), "timestamp");
}

TEST(SqlType, EqualityLooksAtTheParameters) {
  EXPECT_EQ(SqlType::decimal(12, 2), SqlType::decimal(12, 2));
  EXPECT_NE(SqlType::decimal(12, 2), SqlType::decimal(12, 3));
  EXPECT_NE(SqlType::integer(32), SqlType::integer(64));
}

TEST(SqlType, Numbers) {
  EXPECT_TRUE(SqlType::integer().is_exact_number());
  EXPECT_TRUE(SqlType::decimal(5, 1).is_exact_number());
  EXPECT_FALSE(SqlType::real().is_exact_number());
  EXPECT_TRUE(SqlType::real().is_number());
  EXPECT_FALSE(SqlType::date().is_number());
}

TEST(Quantity, ANanIsNeitherMoreNorLessThanABudget) {
  const Epsilon nan{std::numeric_limits<double>::quiet_NaN()};
  EXPECT_FALSE(nan <= Epsilon{1.0});
  EXPECT_FALSE(nan >= Epsilon{1.0});
  EXPECT_LT(Epsilon{0.5}, Epsilon{1.0});
}

}  // namespace
}  // namespace tacit
