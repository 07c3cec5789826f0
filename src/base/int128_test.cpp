#include "base/int128.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <string>

#include "base/check.hpp"

namespace tacit {
namespace {

constexpr Int128 largest = static_cast<Int128>(~UInt128{0} >> 1);
constexpr Int128 smallest = -largest - 1;

Int128 from_halves(std::int64_t high, std::uint64_t low) {
  return static_cast<Int128>((static_cast<UInt128>(high) << 64) | low);
}

TEST(Int128, PrintsTheExtremes) {
  EXPECT_EQ(to_string(Int128{0}), "0");
  EXPECT_EQ(to_string(Int128{-7}), "-7");
  EXPECT_EQ(to_string(largest), "170141183460469231731687303715884105727");
  EXPECT_EQ(to_string(smallest), "-170141183460469231731687303715884105728");
}

TEST(Int128, ReadsTheExtremesAndNothingBeyond) {
  EXPECT_TRUE(parse_int128("170141183460469231731687303715884105727") == largest);
  EXPECT_TRUE(parse_int128("-170141183460469231731687303715884105728") == smallest);
  EXPECT_FALSE(parse_int128("170141183460469231731687303715884105728"));
  EXPECT_FALSE(parse_int128("-170141183460469231731687303715884105729"));
  EXPECT_FALSE(parse_int128(std::string(1000, '9')));
}

TEST(Int128, ReadsDigitsWithOneSignAndNothingElse) {
  EXPECT_TRUE(parse_int128("+5") == Int128{5});
  EXPECT_TRUE(parse_int128("-0") == Int128{0});
  EXPECT_TRUE(parse_int128("0005") == Int128{5});
  for (const char* text : {"", "+", "-", "--5", "+-5", "5-", " 5", "5 ", "0x5", "1e3", "1.0", "1,000"}) {
    EXPECT_FALSE(parse_int128(text)) << text;
  }
}

TEST(Int128, PowersOfTen) {
  EXPECT_TRUE(power_of_ten(0) == Int128{1});
  EXPECT_EQ(to_string(power_of_ten(38)), "1" + std::string(38, '0'));
  EXPECT_THROW(power_of_ten(39), InvariantBroken);
  EXPECT_THROW(power_of_ten(-1), InvariantBroken);
}

TEST(Int128, CheckedArithmeticStopsAtTheEdges) {
  EXPECT_FALSE(checked_add(largest, 1));
  EXPECT_FALSE(checked_add(smallest, -1));
  EXPECT_TRUE(checked_add(largest, smallest) == Int128{-1});
  EXPECT_FALSE(checked_subtract(smallest, 1));
  EXPECT_FALSE(checked_subtract(0, smallest));
  EXPECT_FALSE(checked_multiply(smallest, -1));
  EXPECT_FALSE(checked_multiply(power_of_ten(38), 2));
  EXPECT_TRUE(checked_multiply(smallest, 1) == smallest);
}

RC_GTEST_PROP(Int128Property, TextReadsBack, (std::int64_t high, std::uint64_t low)) {
  const Int128 value = from_halves(high, low);
  RC_ASSERT(parse_int128(to_string(value)) == value);
}

RC_GTEST_PROP(Int128Property, TextOfSmallNumbersIsTheStandardOne, (std::int64_t value)) {
  RC_ASSERT(to_string(Int128{value}) == std::to_string(value));
}

RC_GTEST_PROP(Int128Property, SixtyFourBitProductsAlwaysFit, (std::int64_t a, std::int64_t b)) {
  const auto product = checked_multiply(a, b);
  RC_ASSERT(product.has_value());
  if (b != 0) RC_ASSERT(*product / b == Int128{a} && *product % b == 0);
}

RC_GTEST_PROP(Int128Property, SubtractionUndoesAddition,
              (std::int64_t high_a, std::uint64_t low_a, std::int64_t high_b, std::uint64_t low_b)) {
  const Int128 a = from_halves(high_a, low_a);
  const Int128 b = from_halves(high_b, low_b);
  const auto sum = checked_add(a, b);
  // An empty sum means the signs agree: numbers of different signs always add up.
  if (!sum) {
    RC_ASSERT((a < 0) == (b < 0));
  } else {
    RC_ASSERT(checked_subtract(*sum, b) == a);
  }
}

}  // namespace
}  // namespace tacit
