#include "engine/postgres/read_numeric.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace tacit::postgres_engine {
namespace {

std::string bytes(int weight, unsigned sign, const std::vector<unsigned>& groups) {
  std::string out;
  const auto add = [&](unsigned value) {
    out += static_cast<char>(value >> 8 & 0xff);
    out += static_cast<char>(value & 0xff);
  };
  add(static_cast<unsigned>(groups.size()));
  add(static_cast<unsigned>(weight) & 0xffff);
  add(sign);
  add(0);  // digits to show: no matter
  for (const unsigned group : groups) add(group);
  return out;
}

constexpr unsigned negative = 0x4000;
constexpr unsigned nan = 0xc000;

TEST(ReadNumeric, ReadsGroupsOfFourDigits) {
  EXPECT_TRUE(read_numeric(bytes(0, 0, {}), 5) == Int128{0});
  EXPECT_TRUE(read_numeric(bytes(0, 0, {7}), 0) == Int128{7});
  EXPECT_TRUE(read_numeric(bytes(1, negative, {1, 2345}), 0) == Int128{-12345});
  EXPECT_TRUE(read_numeric(bytes(2, 0, {3}), 0) == Int128{300000000});
  EXPECT_TRUE(read_numeric(bytes(0, 0, {12, 3400}), 2) == Int128{1234});
  EXPECT_TRUE(read_numeric(bytes(0, 0, {12, 3400}), 4) == Int128{123400});
  EXPECT_TRUE(read_numeric(bytes(0, 0, {12, 3400}), 7) == Int128{123400000});
  EXPECT_TRUE(read_numeric(bytes(-2, 0, {5}), 8) == Int128{5});
  EXPECT_TRUE(read_numeric(bytes(0, 0, {12, 0, 0}), 0) == Int128{12});  // zeros behind the scale lose nothing
}

TEST(ReadNumeric, IsEmptyWhereDigitsWouldBeLost) {
  EXPECT_FALSE(read_numeric(bytes(0, 0, {12, 3400}), 1));
  EXPECT_FALSE(read_numeric(bytes(-2, 0, {5}), 7));
  EXPECT_FALSE(read_numeric(bytes(-2, 0, {5}), 3));
  EXPECT_FALSE(read_numeric(bytes(100, 0, {5}), 0));
  EXPECT_FALSE(read_numeric(bytes(9, 0, {99, 1}), 1));
  EXPECT_FALSE(read_numeric(bytes(9, 0, {100}), 0));  // 10^38
  EXPECT_TRUE(read_numeric(bytes(9, 0, {10}), 0));    // 10^37
  EXPECT_FALSE(read_numeric(bytes(9, 0, std::vector<unsigned>(10, 9999)), 0));
  EXPECT_FALSE(read_numeric(bytes(0, nan, {}), 0));
  EXPECT_FALSE(read_numeric(bytes(0, 0xd000, {}), 0));
  EXPECT_FALSE(read_numeric(bytes(0, 0xf000, {}), 0));
}

TEST(ReadNumeric, ReachesThirtyEightDigits) {
  std::vector<unsigned> groups(10, 9999);
  groups.front() = 99;
  EXPECT_TRUE(read_numeric(bytes(9, negative, groups), 0) == -(power_of_ten(38) - 1));
  groups.assign(9, 9999);
  groups.push_back(9900);
  EXPECT_TRUE(read_numeric(bytes(-1, 0, groups), 38) == power_of_ten(38) - 1);
  groups.assign(9, 9999);
  groups.insert(groups.begin(), 9);
  groups.push_back(9000);
  EXPECT_TRUE(read_numeric(bytes(9, 0, groups), 1) == power_of_ten(38) - 1);
}

}  // namespace
}  // namespace tacit::postgres_engine
