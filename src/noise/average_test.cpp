#include "noise/average.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "base/check.hpp"
#include "noise/sampling/release_range.hpp"

namespace tacit {
namespace {

RowsAggregate bounds(Int128 lo, Int128 hi, Grid grid = {}) { return {grid, lo, hi, 1}; }
constexpr Grid cents{Grid::Base::decimal, 2};
constexpr Grid eighths{Grid::Base::binary, 3};

TEST(Average, IsExactAndRoundedOnce) {
  const Average average(bounds(0, 10), SqlType::decimal(38, 6));
  EXPECT_EQ(to_string(average.at(1, 2, Rounding::nearest)), "3.333333");
  EXPECT_EQ(to_string(average.at(1, 2, Rounding::down)), "3.333333");
  EXPECT_EQ(to_string(average.at(1, 2, Rounding::up)), "3.333334");
  EXPECT_EQ(to_string(average.at(2, 1, Rounding::nearest)), "6.666667");
  EXPECT_EQ(to_string(average.at(2, 1, Rounding::down)), "6.666666");
  EXPECT_EQ(to_string(average.at(0, 1, Rounding::up)), "0.000000");
  EXPECT_EQ(to_string(average.at(1, 0, Rounding::up)), "10.000000");
  EXPECT_THROW(average.at(0, 0, Rounding::nearest), InvariantBroken);
}

TEST(Average, NegativeBoundsRoundTowardsTheNamedSide) {
  const Average average(bounds(-1000, -500, cents), SqlType::decimal(38, 3));  // [-10.00, -5.00]
  EXPECT_EQ(to_string(average.at(1, 2, Rounding::down)), "-8.334");
  EXPECT_EQ(to_string(average.at(1, 2, Rounding::up)), "-8.333");
  EXPECT_EQ(to_string(average.at(1, 2, Rounding::nearest)), "-8.333");
}

TEST(Average, FollowsTheColumnType) {
  EXPECT_EQ(std::get<double>(Average(bounds(0, 1000, cents), SqlType::real()).at(1, 3, Rounding::nearest)), 2.5);
  EXPECT_EQ(std::get<double>(Average(bounds(-8, 8, eighths), SqlType::real()).at(3, 1, Rounding::nearest)), 0.5);
  // A column coarser than the grid.
  const Average coarse(bounds(0, 1000, cents), SqlType::decimal(10, 1));
  EXPECT_EQ(to_string(coarse.at(1, 2, Rounding::down)), "3.3");
  EXPECT_EQ(to_string(coarse.at(1, 2, Rounding::up)), "3.4");
  EXPECT_EQ(to_string(Average(bounds(0, 10), SqlType::integer()).at(2, 1, Rounding::nearest)), "7");
}

TEST(Average, HugeBoundsAndSumsStayExact) {
  const Average average(bounds(-largest_release, largest_release), SqlType::decimal(38, 6));
  const auto sum = static_cast<UInt128>(largest_release);
  EXPECT_EQ(to_string(average.at(sum, sum, Rounding::nearest)), "0");
  EXPECT_EQ(to_string(average.at(sum, 0, Rounding::nearest)), std::string(38, '9'));
  EXPECT_EQ(to_string(average.at(0, sum, Rounding::nearest)), "-" + std::string(38, '9'));
  // As many digits as still fit: 30 digits before the point leave 8.
  const Average wide(bounds(0, power_of_ten(30) - 1), SqlType::decimal(38, 20));
  EXPECT_EQ(std::get<Decimal>(wide.at(1, 1, Rounding::nearest)).scale, 8);
}

TEST(Average, ConstantBoundsAreTheAnswer) {
  EXPECT_EQ(to_string(Average(bounds(7, 7), SqlType::decimal(38, 2)).at(5, 9, Rounding::nearest)), "7.00");
}

RC_GTEST_PROP(Average, IsMonotoneAndRoundsOutward, ()) {
  const auto lo = static_cast<Int128>(*rc::gen::arbitrary<std::int64_t>());
  const auto hi = lo + *rc::gen::inRange<std::int64_t>(0, 1'000'000'000'000);
  const auto sum = [] {
    return static_cast<UInt128>(*rc::gen::arbitrary<std::uint64_t>()) << *rc::gen::inRange(0, 62);
  };
  const Average average(bounds(lo, hi, cents), SqlType::decimal(38, 8));
  const UInt128 a = sum() + 1;
  const UInt128 b = sum();
  const UInt128 more = sum();
  const auto at = [&](UInt128 x, UInt128 y, Rounding rounding) {
    return std::get<Decimal>(average.at(x, y, rounding));
  };
  const Decimal nearest = at(a, b, Rounding::nearest);
  RC_ASSERT(at(a, b, Rounding::down) <= nearest);
  RC_ASSERT(nearest <= at(a, b, Rounding::up));
  RC_ASSERT(nearest <= at(a + more, b, Rounding::nearest));
  RC_ASSERT(nearest >= at(a, b + more, Rounding::nearest));
  RC_ASSERT(nearest >= Decimal({lo, 2}));
  RC_ASSERT(nearest <= Decimal({hi, 2}));
}

}  // namespace
}  // namespace tacit
