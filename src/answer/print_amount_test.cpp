#include "answer/print_amount.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>

namespace tacit {
namespace {

TEST(PrintAmount, IsShort) {
  EXPECT_EQ(print_spent(1.0), "1");
  EXPECT_EQ(print_left(19.9), "19.9");
  EXPECT_EQ(print_left(0.0), "0");
  EXPECT_EQ(print_left(1e-6), "1e-06");
}

TEST(PrintSize, KeepsFourDigitsAndWritesLargeNumbersOut) {
  EXPECT_EQ(print_size(0.69314718), "0.6931");
  EXPECT_EQ(print_size(1.0), "1");
  EXPECT_EQ(print_size(30000.0), "30000");
  EXPECT_EQ(print_size(20794.4), "20790");
  EXPECT_EQ(print_size(99996.0), "100000");
  EXPECT_EQ(print_size(179744.9), "179700");
  EXPECT_EQ(print_size(1.23456e20), "1.235e+20");
}

TEST(PrintAmount, NeverFlattersTheBudget) {
  EXPECT_EQ(print_left(std::nextafter(19.9, 0.0)), "19.8999");
  EXPECT_EQ(print_spent(std::nextafter(19.9, 20.0)), "19.9001");
  EXPECT_EQ(print_left(std::nextafter(1.0, 0.0)), "0.999999");
  EXPECT_EQ(print_left(0.99999999), "0.999999");
  EXPECT_EQ(print_spent(0.99999999), "1");
}

RC_GTEST_PROP(PrintAmount, KeepsItsSide, (double raw)) {
  const double amount = std::fabs(raw);
  RC_PRE(std::isfinite(amount));
  RC_ASSERT(std::stod(print_left(amount)) <= amount);
  RC_ASSERT(std::stod(print_spent(amount)) >= amount);
  RC_ASSERT(std::stod(print_left(amount)) >= amount * (1 - 2e-5));
  RC_ASSERT(std::stod(print_spent(amount)) <= amount * (1 + 2e-5));
}

}  // namespace
}  // namespace tacit
