#include "noise/grid_value.hpp"

#include <gtest/gtest.h>

#include "base/check.hpp"
#include "noise/sampling/release_range.hpp"

namespace tacit {
namespace {

constexpr Grid decimal(int exponent) { return {Grid::Base::decimal, exponent}; }
constexpr Grid binary(int exponent) { return {Grid::Base::binary, exponent}; }

TEST(GridValue, DecimalsStayExact) {
  EXPECT_EQ(to_string(value_on_grid(-1234, decimal(2), SqlType::decimal(38, 2))), "-12.34");
  EXPECT_EQ(to_string(value_on_grid(1234, decimal(0), SqlType::integer())), "1234");
  EXPECT_EQ(to_string(value_on_grid(largest_release, decimal(0), SqlType::integer(128))), std::string(38, '9'));
}

TEST(GridValue, StepsAboveOne) {
  EXPECT_EQ(to_string(value_on_grid(12, decimal(-3), SqlType::integer())), "12000");
  EXPECT_EQ(to_string(value_on_grid(-largest_release, decimal(-3), SqlType::integer(128))), "-" + std::string(38, '9'));
  EXPECT_THROW(value_on_grid(1, decimal(39), SqlType::integer()), InvariantBroken);
}

TEST(GridValue, DoublesForBinaryGridsAndDoubleColumns) {
  EXPECT_EQ(std::get<double>(value_on_grid(-3, binary(2), SqlType::real())), -0.75);
  EXPECT_EQ(std::get<double>(value_on_grid(3, binary(-2), SqlType::real())), 12.0);
  EXPECT_EQ(std::get<double>(value_on_grid(1, decimal(1), SqlType::real())), 0.1);
}

TEST(GridValue, Steps) {
  EXPECT_EQ(step_of(decimal(2)), 0.01);
  EXPECT_EQ(step_of(decimal(-2)), 100.0);
  EXPECT_EQ(step_of(binary(3)), 0.125);
}

}  // namespace
}  // namespace tacit
