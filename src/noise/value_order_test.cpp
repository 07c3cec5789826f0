#include "noise/value_order.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

namespace tacit {
namespace {

const double nan = std::numeric_limits<double>::quiet_NaN();

TEST(ValueOrder, NumbersAreEqualByMagnitude) {
  const std::vector<Value> ones{Decimal{1, 0}, Decimal{10, 1}, Decimal{1'000'000, 6}, 1.0};
  for (const Value& a : ones) {
    for (const Value& b : ones) {
      EXPECT_TRUE(same_group(std::vector{a}, std::vector{b}));
      EXPECT_EQ(hash_group(std::vector{a}), hash_group(std::vector{b}));
    }
  }
  EXPECT_TRUE(same_group(std::vector<Value>{Decimal{1, 1}}, std::vector<Value>{0.1}));
  EXPECT_TRUE(same_group(std::vector<Value>{0.0}, std::vector<Value>{-0.0}));
  EXPECT_EQ(hash_group(std::vector<Value>{0.0}), hash_group(std::vector<Value>{-0.0}));
  EXPECT_TRUE(same_group(std::vector<Value>{nan}, std::vector<Value>{nan}));
  EXPECT_EQ(hash_group(std::vector<Value>{nan}), hash_group(std::vector<Value>{-nan}));
}

TEST(ValueOrder, AGroupHasOneName) {
  EXPECT_EQ(to_string(group_name(-0.0)), "0");
  EXPECT_EQ(to_string(group_name(std::copysign(nan, -1.0))), to_string(std::copysign(nan, 1.0)));
  EXPECT_EQ(std::get<double>(group_name(-1.5)), -1.5);
  EXPECT_EQ(to_string(group_name(std::string("-0"))), "-0");
}

TEST(ValueOrder, LongNumbersHashBySizeNotSpelling) {
  const Int128 long_units = power_of_ten(30) + 7;
  const std::vector<Value> a{Decimal{long_units, 10}};
  const std::vector<Value> b{Decimal{long_units * 1000, 13}};
  EXPECT_TRUE(same_group(a, b));
  EXPECT_EQ(hash_group(a), hash_group(b));
  // 2^53 + 1 is no double: a neighbour in decimals, not equal.
  EXPECT_FALSE(same_group(std::vector<Value>{Decimal{(Int128{1} << 53) + 1, 0}},
                          std::vector<Value>{Decimal{Int128{1} << 53, 0}}));
}

TEST(ValueOrder, NullIsAGroupOfItsOwn) {
  EXPECT_TRUE(same_group(std::vector<Value>{Null{}}, std::vector<Value>{Null{}}));
  EXPECT_FALSE(same_group(std::vector<Value>{Null{}}, std::vector<Value>{Decimal{0, 0}}));
  EXPECT_FALSE(same_group(std::vector<Value>{Null{}}, std::vector<Value>{std::string()}));
  EXPECT_FALSE(same_group(std::vector<Value>{false}, std::vector<Value>{Decimal{0, 0}}));
  EXPECT_FALSE(same_group(std::vector<Value>{Date{0}}, std::vector<Value>{Timestamp{0}}));
}

TEST(ValueOrder, RowsDifferByOrderAndLength) {
  const std::vector<Value> ab{std::string("a"), std::string("b")};
  const std::vector<Value> ba{std::string("b"), std::string("a")};
  EXPECT_FALSE(same_group(ab, ba));
  EXPECT_NE(hash_group(ab), hash_group(ba));
  EXPECT_FALSE(same_group(ab, std::span(ab).first(1)));
  EXPECT_TRUE(same_group({}, {}));
}

TEST(ValueOrder, SortsAsPostgres) {
  const auto less = [](const Value& a, const Value& b) {
    EXPECT_TRUE(compare_values(b, a) > 0);
    return compare_values(a, b) < 0;
  };
  EXPECT_TRUE(less(Decimal{-5, 0}, Decimal{25, 1}));
  EXPECT_TRUE(less(Decimal{25, 1}, 2.75));
  EXPECT_TRUE(less(std::numeric_limits<double>::infinity(), nan));
  EXPECT_TRUE(less(Decimal{1, 0}, nan));
  EXPECT_TRUE(less(std::string("Z"), std::string("a")));
  EXPECT_TRUE(less(std::string("z"), std::string("\xc3\xa4")));  // bytewise: unsigned
  EXPECT_TRUE(less(std::string("a"), std::string("aa")));
  EXPECT_TRUE(less(false, true));
  EXPECT_TRUE(less(Date{-1}, Date{1}));
  EXPECT_TRUE(less(Timestamp{1}, Timestamp{2}));
}

}  // namespace
}  // namespace tacit
