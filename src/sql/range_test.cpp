#include "sql/range.hpp"

#include <gtest/gtest.h>

namespace tacit {
namespace {

ExactRange exact(const Range& range) { return std::get<ExactRange>(range); }

TEST(Range, TypesProveTheirLimits) {
  EXPECT_EQ(exact(type_range(SqlType::integer(8))).lo.value, (Decimal{-128, 0}));
  EXPECT_EQ(to_string(exact(type_range(SqlType::integer(64))).hi.value), "9223372036854775807");
  EXPECT_EQ(to_string(exact(type_range(SqlType::integer(128))).lo.value), "-170141183460469231731687303715884105728");
  EXPECT_EQ(to_string(exact(type_range(SqlType::decimal(5, 2))).hi.value), "999.99");
  EXPECT_EQ(std::get<RealRange>(type_range(SqlType::real())).hi.value, 1e100);
  EXPECT_TRUE(std::holds_alternative<std::monostate>(type_range(SqlType::text())));
  EXPECT_FALSE(exact(type_range(SqlType::date())).stated());
}

TEST(Range, DeclaredBoundsAreStatedAndMovedInward) {
  const Range both = declared_range(SqlType::integer(32), Decimal{5, 1}, Decimal{95, 1});
  EXPECT_EQ(exact(both).lo.value, (Decimal{1, 0}));
  EXPECT_EQ(exact(both).hi.value, (Decimal{9, 0}));
  EXPECT_TRUE(exact(both).stated());
  const Range half = declared_range(SqlType::integer(8), Decimal{0, 0}, std::nullopt);
  EXPECT_TRUE(exact(half).lo.stated);
  EXPECT_FALSE(exact(half).hi.stated);
  EXPECT_EQ(exact(declared_range(SqlType::integer(8), {}, Decimal{1000, 0})).hi.value, (Decimal{127, 0}));
  EXPECT_TRUE(std::holds_alternative<std::monostate>(declared_range(SqlType::integer(8), {}, {})));
  EXPECT_EQ(std::get<RealRange>(declared_range(SqlType::real(), Decimal{5, 1}, 2.0)).lo.value, 0.5);
}

TEST(Range, SameRangeLooksAtEndsAndWhetherTheyAreStated) {
  const Range stated = declared_range(SqlType::integer(8), Decimal{0, 0}, Decimal{1, 0});
  Range unstated = stated;
  std::get<ExactRange>(unstated).lo.stated = false;
  EXPECT_TRUE(same_range(stated, stated));
  EXPECT_FALSE(same_range(stated, unstated));
  EXPECT_FALSE(same_range(stated, Range{}));
  EXPECT_TRUE(same_range(Range{}, Range{}));
}

}  // namespace
}  // namespace tacit
